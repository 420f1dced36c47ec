/** The mesh of an opened character (glTF, VRM), moved by the segments that its nodes are. */

import {
  type Material,
  Matrix4,
  Mesh,
  type Object3D,
  Quaternion,
  type SkinnedMesh,
  Vector3,
} from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { clone } from "three/addons/utils/SkeletonUtils.js";
import type { MeshInfo } from "../messages";

/** A node that a segment moves, and its size in the rest pose. */
interface Bone {
  node: Object3D;
  segment: number;
  scale: Vector3;
}

export class Character {
  private constructor(
    readonly scene: Object3D,
    private readonly bones: Bone[],
  ) {
    scene.traverse((part) => {
      if (!(part instanceof Mesh)) return;
      part.frustumCulled = false; // its bounds are those of the rest pose
      part.castShadow = true;
      part.receiveShadow = true;
    });
    for (const { node } of bones) node.matrixAutoUpdate = false;
  }

  /** Reads a binary glTF file. */
  static async read(data: ArrayBuffer, mesh: MeshInfo): Promise<Character> {
    const { scene, parser } = await new GLTFLoader().parseAsync(data, "");
    scene.updateMatrixWorld(true);
    const bones: Bone[] = [];
    scene.traverse((node) => {
      const number = parser.associations.get(node)?.nodes;
      const segment = number === undefined ? -1 : mesh.nodes.indexOf(number);
      // A mesh of several materials is a group whose parts name the same node: the first is it.
      if (segment < 0 || bones.some((bone) => bone.segment === segment)) return;
      bones.push({ node, segment, scale: new Vector3().setFromMatrixScale(node.matrixWorld) });
    });
    return new Character(scene, bones);
  }

  /** Another one of the same build, in one material. */
  shadeOf(material: Material): Character {
    const scene = clone(this.scene);
    const copies: Object3D[] = [];
    scene.traverse((node) => copies.push(node));
    const places = new Map<Object3D, number>();
    this.scene.traverse((node) => places.set(node, places.size));
    const bones = this.bones.map((bone) => ({ ...bone, node: copies[places.get(bone.node)!]! }));
    const copy = new Character(scene, bones);
    for (const mesh of meshesIn(scene)) {
      mesh.material = material;
      mesh.castShadow = false;
    }
    return copy;
  }

  /** Shows a pose: rows of 7 numbers a segment, position and quaternion w x y z. */
  show(rows: ArrayLike<number>): void {
    const place = new Vector3();
    const turn = new Quaternion();
    const outer = new Matrix4();
    for (const { node, segment, scale } of this.bones) {
      const [x, y, z, qw, qx, qy, qz] = Array.from({ length: 7 }, (_, k) => rows[7 * segment + k]!);
      node.matrixWorld.compose(place.set(x!, y!, z!), turn.set(qx!, qy!, qz!, qw!), scale);
      // The scene's own updates go from parents to children, by what a node is in its parent.
      if (node.parent === null) node.matrix.copy(node.matrixWorld);
      else
        node.matrix.multiplyMatrices(
          outer.copy(node.parent.matrixWorld).invert(),
          node.matrixWorld,
        );
      node.matrixWorldNeedsUpdate = true;
    }
    this.scene.updateMatrixWorld();
  }

  /** Lets the skeleton be seen through it, or not. */
  setOpacity(opacity: number): void {
    for (const mesh of meshesIn(this.scene)) {
      for (const material of materialsOf(mesh)) {
        material.userData.own ??= { opacity: material.opacity, clear: material.transparent };
        const own = material.userData.own as { opacity: number; clear: boolean };
        material.opacity = own.opacity * opacity;
        material.transparent = own.clear || opacity < 1;
        material.needsUpdate = true;
      }
    }
  }

  /** Where its vertices are now [m]. */
  points(): Vector3[] {
    return meshesIn(this.scene).flatMap((mesh) => {
      const { count } = mesh.geometry.getAttribute("position");
      return Array.from({ length: count }, (_, k) =>
        mesh.getVertexPosition(k, new Vector3()).applyMatrix4(mesh.matrixWorld),
      );
    });
  }

  get textures(): number {
    const all = meshesIn(this.scene).flatMap((mesh) => materialsOf(mesh));
    return all.filter((material) => "map" in material && material.map !== null).length;
  }

  remove(): void {
    this.scene.removeFromParent();
    for (const mesh of meshesIn(this.scene)) (mesh as SkinnedMesh).skeleton?.dispose();
  }

  /** Frees what the graphics card holds of it. */
  dispose(): void {
    for (const mesh of meshesIn(this.scene)) {
      mesh.geometry.dispose();
      for (const material of materialsOf(mesh)) {
        for (const value of Object.values(material)) value?.isTexture && value.dispose();
        material.dispose();
      }
    }
  }
}

function meshesIn(scene: Object3D): Mesh[] {
  const found: Mesh[] = [];
  scene.traverse((part) => {
    if (part instanceof Mesh) found.push(part);
  });
  return found;
}

function materialsOf(mesh: Mesh): Material[] {
  return Array.isArray(mesh.material) ? mesh.material : [mesh.material];
}
