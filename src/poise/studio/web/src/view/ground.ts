/** The ground: a grid that fades into the distance, and the shadows that fall on it. */

import {
  Color,
  Group,
  Mesh,
  PlaneGeometry,
  ShaderMaterial,
  ShadowMaterial,
  type Vector3,
} from "three";
import type { Palette } from "../palette";

const EXTENT = 9; // half the side of the grid, in squares of it
const SHADE = 2; // half the side of what catches the shadow, in sizes of the figure

const VERTEX = /* glsl */ `
  varying vec2 at;
  void main() {
    at = position.xy;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }
`;

const FRAGMENT = /* glsl */ `
  varying vec2 at;
  uniform vec3 line;
  float lines(float spacing, float width) {
    vec2 cell = at / spacing;
    vec2 soft = fwidth(cell);
    vec2 away = abs(fract(cell - 0.5) - 0.5) / soft;
    float seen = 1.0 - clamp(min(away.x, away.y) - width + 0.5, 0.0, 1.0);
    return seen * (1.0 - clamp(2.5 * max(soft.x, soft.y), 0.0, 1.0));
  }
  void main() {
    float fade = exp(-pow(length(at) / (3.6), 2.0));
    float ink = max(0.75 * lines(1.0, 0.7), 0.3 * lines(0.25, 0.5));
    gl_FragColor = vec4(line, ink * fade);
    #include <colorspace_fragment>
  }
`;

export class Ground {
  readonly group = new Group();
  private readonly lines = new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    transparent: true,
    depthWrite: false,
    uniforms: { line: { value: new Color() } },
  });
  private readonly shadow = new ShadowMaterial({ opacity: 0.2, depthWrite: false });

  private readonly shade = new Mesh(new PlaneGeometry(2 * SHADE, 2 * SHADE), this.shadow);
  private readonly grid = new Mesh(new PlaneGeometry(2 * EXTENT, 2 * EXTENT), this.lines);

  constructor() {
    this.shade.receiveShadow = true;
    this.grid.renderOrder = 1;
    this.group.add(this.shade, this.grid);
  }

  paint(palette: Palette, dark: boolean): void {
    this.lines.uniforms.line!.value.set(palette.grid);
    this.shadow.opacity = dark ? 0.45 : 0.2;
  }

  /** Lies across the up axis; `size` is the figure's [m]. */
  fit(up: "Y" | "Z", size: number): void {
    const square = size > 6 ? 10 : size > 0.6 ? 1 : 0.1;
    this.group.rotation.x = up === "Y" ? -Math.PI / 2 : 0;
    this.shade.scale.setScalar(size);
    this.grid.scale.setScalar(square);
  }

  /** Catches the shadow of a figure that stands elsewhere. */
  follow(at: Vector3): void {
    this.group.worldToLocal(this.shade.position.copy(at)).setZ(0);
  }
}
