/** The ground of a walk: a mesh of the session's, fetched anew when the walker leaves it. */

import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Color,
  DoubleSide,
  EdgesGeometry,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  RepeatWrapping,
  SRGBColorSpace,
  type Vector3,
} from "three";
import type { WalkInfo } from "../messages";
import type { Palette } from "../palette";
import { address } from "../session";

const REACH = 7; // how far from the middle of the mesh the walker may go [m]
const CURVED = 2000; // ground of more triangles is curved, and has no edges to draw
const EDGE = 20; // what is bent more is an edge [degrees]
const TILE = 256; // of the texture, one square metre [px]

export class WalkGround {
  readonly mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
  private readonly edges = new LineSegments(new BufferGeometry(), new LineBasicMaterial());
  private place = -1;
  private middle: Vector3 | null = null;
  private fetching = false;

  constructor(private readonly changed: () => void) {
    const material = new MeshStandardMaterial({ roughness: 1, side: DoubleSide });
    this.mesh = new Mesh(new BufferGeometry(), material);
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    this.edges.frustumCulled = false;
    this.mesh.add(this.edges);
  }

  paint(palette: Palette): void {
    this.mesh.material.map?.dispose();
    this.mesh.material.map = squares(palette);
    this.edges.material.color.set(palette.muted);
    this.mesh.material.needsUpdate = true;
  }

  /** Sees to it that there is ground about the walker, whose place this is. */
  reach(walk: WalkInfo, body: Vector3): void {
    const { middle } = this;
    const there = middle !== null && middle.distanceTo(body) < REACH;
    if (this.fetching || (walk.place === this.place && there)) return;
    this.fetching = true;
    void this.fetch(walk.place, body.clone()).finally(() => {
      this.fetching = false;
    });
  }

  /** The walk has ended. */
  forget(): void {
    this.mesh.visible = false;
    this.middle = null;
  }

  get triangles(): number {
    return this.mesh.visible ? (this.mesh.geometry.index?.count ?? 0) / 3 : 0;
  }

  private async fetch(place: number, body: Vector3): Promise<void> {
    const reply = await fetch(address("/ground", { place: `${place}` }));
    if (!reply.ok) return; // the walk has ended in the meantime
    const data = await reply.arrayBuffer();
    const [points, triangles] = new Uint32Array(data, 0, 2) as unknown as [number, number];
    const at = new Float32Array(data, 8, 3 * points);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(at, 3));
    geometry.setAttribute("uv", new BufferAttribute(flatPlaces(at), 2));
    geometry.setIndex(
      new BufferAttribute(new Uint32Array(data, 8 + 12 * points, 3 * triangles), 1),
    );
    geometry.computeVertexNormals();
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
    this.edges.geometry.dispose();
    this.edges.geometry =
      triangles < CURVED ? new EdgesGeometry(geometry, EDGE) : new BufferGeometry();
    this.mesh.visible = true;
    [this.place, this.middle] = [place, body];
    this.changed();
  }
}

/** Points seen from above, in metres: a texture of one square metre repeats. */
function flatPlaces(points: Float32Array): Float32Array {
  const places = new Float32Array((2 * points.length) / 3);
  for (let i = 0; i < points.length / 3; i++) {
    places[2 * i] = points[3 * i]! + 0.13 * points[3 * i + 1]!; // risers get lines too
    places[2 * i + 1] = points[3 * i + 2]! + 0.13 * points[3 * i + 1]!;
  }
  return places;
}

function squares(palette: Palette): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = TILE;
  const pen = canvas.getContext("2d")!;
  const shade = new Color(palette.ground).lerp(new Color(palette.grid), 0.35);
  pen.fillStyle = shade.getStyle();
  pen.fillRect(0, 0, TILE, TILE);
  pen.strokeStyle = shade.lerp(new Color(palette.muted), 0.45).getStyle();
  pen.lineWidth = 4;
  pen.strokeRect(0, 0, TILE, TILE);
  const texture = new CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.anisotropy = 8;
  texture.colorSpace = SRGBColorSpace;
  return texture;
}
