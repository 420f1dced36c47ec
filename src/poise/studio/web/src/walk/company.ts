/** Those who walk about the figure: the coarse body of one, drawn for all in one call. */

import {
  type BufferGeometry,
  Color,
  DataTexture,
  FloatType,
  InstancedMesh,
  type Material,
  Matrix4,
  MeshDepthMaterial,
  MeshStandardMaterial,
  RGBADepthPacking,
  RGBAFormat,
} from "three";
import { matricesOf } from "../body/cones";
import type { CrowdFrame } from "../frames";
import type { FigureInfo } from "../messages";
import type { Stage } from "../view/stage";

/** What a crowd is drawn from. */
export interface Build {
  figure: FigureInfo;
  geometry: BufferGeometry;
}

const TEXELS = 4; // of a matrix, a column each
const SHADES = 0.24; // between the darkest and the lightest

/** Each walker has a row of matrices, one a segment: a vertex follows up to four of them. */
const SKIN = `
attribute vec4 skinIndex;
attribute vec4 skinWeight;
uniform highp sampler2D bones;
mat4 boneOf(float segment) {
  int x = ${TEXELS} * int(segment);
  return mat4(
    texelFetch(bones, ivec2(x, gl_InstanceID), 0),
    texelFetch(bones, ivec2(x + 1, gl_InstanceID), 0),
    texelFetch(bones, ivec2(x + 2, gl_InstanceID), 0),
    texelFetch(bones, ivec2(x + 3, gl_InstanceID), 0)
  );
}
mat4 skinned() {
  return skinWeight.x * boneOf(skinIndex.x) + skinWeight.y * boneOf(skinIndex.y)
    + skinWeight.z * boneOf(skinIndex.z) + skinWeight.w * boneOf(skinIndex.w);
}
`;

export class Company {
  private mesh: InstancedMesh<BufferGeometry, MeshStandardMaterial> | null = null;
  private bones: DataTexture | null = null;
  private inverses: Matrix4[] = [];
  private colour = new Color("white");

  constructor(private readonly stage: Stage) {}

  /** How many are drawn, for those who look. */
  get size(): number {
    return this.mesh?.count ?? 0;
  }

  paint(colour: string): void {
    this.colour.set(colour);
    if (this.mesh !== null) this.shade(this.mesh);
    this.stage.invalidate();
  }

  show(frame: CrowdFrame | null, build: Build | null): void {
    const fits = frame !== null && build !== null;
    if (!fits || this.mesh?.geometry !== build.geometry || this.mesh.count !== frame.walkers)
      this.clear();
    if (!fits || frame.walkers === 0) return;
    this.mesh ??= this.gather(build, frame.walkers);
    const numbers = this.bones!.image.data as Float32Array;
    matricesOf(frame.transforms, frame.transforms.length / 7).forEach((matrix, i) => {
      matrix.multiply(this.inverses[i % this.inverses.length]!).toArray(numbers, 16 * i);
    });
    this.bones!.needsUpdate = true;
    this.stage.invalidate();
  }

  private gather(
    { figure, geometry }: Build,
    walkers: number,
  ): InstancedMesh<BufferGeometry, MeshStandardMaterial> {
    const segments = figure.segments.length;
    this.inverses = matricesOf(figure.bind.flat(), segments).map((matrix) => matrix.invert());
    const room = new Float32Array(16 * segments * walkers);
    this.bones = new DataTexture(room, TEXELS * segments, walkers, RGBAFormat, FloatType);
    const mesh = new InstancedMesh(
      geometry,
      this.dressed(new MeshStandardMaterial({ roughness: 0.72 })),
      walkers,
    );
    for (let i = 0; i < walkers; i++) mesh.setMatrixAt(i, new Matrix4());
    mesh.customDepthMaterial = this.dressed(
      new MeshDepthMaterial({ depthPacking: RGBADepthPacking }),
    );
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    this.shade(mesh);
    this.stage.scene.add(mesh);
    return mesh;
  }

  /** A material whose vertices follow the matrices of their walker. */
  private dressed<M extends Material>(material: M): M {
    const bones = { value: this.bones };
    material.onBeforeCompile = (shader) => {
      shader.uniforms.bones = bones;
      shader.vertexShader =
        SKIN +
        shader.vertexShader
          .replace(
            "#include <beginnormal_vertex>",
            "$&\nobjectNormal = mat3(skinned()) * objectNormal;",
          )
          .replace(
            "#include <begin_vertex>",
            "$&\ntransformed = (skinned() * vec4(transformed, 1.0)).xyz;",
          );
    };
    return material;
  }

  /** No two beside each other alike. */
  private shade(mesh: InstancedMesh): void {
    for (let i = 0; i < mesh.count; i++) {
      const lighter = SHADES * (((i * 0.618) % 1) - 0.5);
      mesh.setColorAt(i, this.colour.clone().offsetHSL(0, 0, lighter));
    }
    mesh.instanceColor!.needsUpdate = true;
  }

  private clear(): void {
    this.mesh?.removeFromParent();
    this.mesh?.material.dispose();
    this.mesh?.customDepthMaterial?.dispose();
    this.mesh?.dispose(); // the geometry is that of the figure's own body
    this.bones?.dispose();
    this.mesh = null;
    this.bones = null;
    this.stage.invalidate();
  }
}
