/** The body of a figure: one skinned mesh, one bone a segment. */

import {
  Bone,
  BufferAttribute,
  BufferGeometry,
  type Material,
  Matrix4,
  Skeleton,
  SkinnedMesh,
  Sphere,
} from "three";
import type { FigureInfo } from "../messages";
import { matricesOf } from "./cones";
import type { Skin } from "./skin";

export function geometryOf(skin: Skin): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(skin.points, 3));
  geometry.setIndex(new BufferAttribute(skin.triangles, 1));
  geometry.setAttribute("skinIndex", new BufferAttribute(skin.indices, 4));
  geometry.setAttribute("skinWeight", new BufferAttribute(skin.shares, 4));
  geometry.computeVertexNormals();
  return geometry;
}

/** A body that shows poses: rows of 7 numbers a segment, position and quaternion w x y z. */
export class Body {
  readonly mesh: SkinnedMesh;

  constructor(figure: FigureInfo, geometry: BufferGeometry, material: Material) {
    const bind = matricesOf(figure.bind.flat(), figure.segments.length);
    const bones = figure.segments.map(() => new Bone());
    this.mesh = new SkinnedMesh(geometry, material);
    // Bones carry world matrices of their own: they hang in no tree.
    this.mesh.bindMode = "detached";
    // With a bind matrix of its own, three.js keeps the inverses that it is given.
    const inverses = bind.map((matrix) => matrix.clone().invert());
    this.mesh.bind(new Skeleton(bones, inverses), new Matrix4());
    this.mesh.frustumCulled = false;
    this.mesh.boundingSphere = new Sphere(); // or three.js skins every vertex to find one
    this.show(figure.bind.flat());
  }

  get scene(): SkinnedMesh {
    return this.mesh;
  }

  show(rows: ArrayLike<number>): void {
    const { bones } = this.mesh.skeleton;
    matricesOf(rows, bones.length).forEach((matrix, i) => {
      bones[i]!.matrixWorld.copy(matrix);
    });
  }

  remove(): void {
    this.mesh.skeleton.dispose();
    this.mesh.removeFromParent();
  }
}
