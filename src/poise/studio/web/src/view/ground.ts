/** The ground: a grid that fades into the distance, and the shadows that fall on it. */

import { Color, Group, Mesh, PlaneGeometry, ShaderMaterial, ShadowMaterial } from "three";
import type { Palette } from "../palette";

const EXTENT = 60; // [m]

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
  uniform float scale;
  float lines(float spacing, float width) {
    vec2 cell = at / spacing;
    vec2 soft = fwidth(cell);
    vec2 away = abs(fract(cell - 0.5) - 0.5) / soft;
    float seen = 1.0 - clamp(min(away.x, away.y) - width + 0.5, 0.0, 1.0);
    return seen * (1.0 - clamp(2.5 * max(soft.x, soft.y), 0.0, 1.0));
  }
  void main() {
    float fade = exp(-pow(length(at) / (3.6 * scale), 2.0));
    float ink = max(0.75 * lines(scale, 0.7), 0.3 * lines(0.25 * scale, 0.5));
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
    uniforms: { line: { value: new Color() }, scale: { value: 1 } },
  });
  private readonly shadow = new ShadowMaterial({ opacity: 0.2, depthWrite: false });

  constructor() {
    const plane = new PlaneGeometry(2 * EXTENT, 2 * EXTENT);
    const shade = new Mesh(plane, this.shadow);
    shade.receiveShadow = true;
    const grid = new Mesh(plane, this.lines);
    grid.renderOrder = 1;
    this.group.add(shade, grid);
  }

  paint(palette: Palette, dark: boolean): void {
    this.lines.uniforms.line!.value.set(palette.grid);
    this.shadow.opacity = dark ? 0.45 : 0.2;
  }

  /** Lies across the up axis; `size` is the figure's [m]. */
  fit(up: "Y" | "Z", size: number): void {
    this.group.rotation.x = up === "Y" ? -Math.PI / 2 : 0;
    this.lines.uniforms.scale!.value = size > 6 ? 10 : size > 0.6 ? 1 : 0.1;
  }
}
