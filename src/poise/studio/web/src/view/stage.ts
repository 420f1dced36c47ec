/** The scene: lights, ground and background, drawn only when something changed. */

import {
  Color,
  DirectionalLight,
  HemisphereLight,
  NeutralToneMapping,
  PCFShadowMap,
  Scene,
  WebGLRenderer,
} from "three";
import { PALETTES } from "../palette";
import type { Theme } from "../store";
import { View } from "./camera";
import { Ground } from "./ground";

export class Stage {
  readonly scene = new Scene();
  readonly view = new View();
  readonly renderer: WebGLRenderer;
  readonly ground = new Ground();
  private readonly key = new DirectionalLight("#fff4e6", 2.3);
  private readonly rim = new DirectionalLight("#cfe3ff", 0.7);
  private readonly fill = new HemisphereLight("#ffffff", "#b9b2a8", 1.7);
  private pending = false;

  /** `draw` paints what lies over the scene, after each frame of it. */
  constructor(
    canvas: HTMLCanvasElement,
    private readonly draw: () => void,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.light();
    this.scene.add(this.ground.group, this.key, this.key.target, this.rim, this.fill);
  }

  paint(theme: Theme): void {
    const palette = PALETTES[theme];
    const dark = theme === "dark";
    this.scene.background = new Color(palette.sky);
    this.ground.paint(palette, dark);
    this.key.intensity = dark ? 1.7 : 2.3;
    this.fill.intensity = dark ? 0.75 : 1.7;
    this.rim.intensity = dark ? 1.3 : 0.7;
    this.invalidate();
  }

  /** Fits lights and ground to a figure of some size [m]. */
  fit(up: "Y" | "Z", size: number): void {
    this.view.setUp(up);
    this.ground.fit(up, size);
    const [x, high, z] = [1.2 * size, 2.4 * size, 1.6 * size];
    this.key.position.set(x, up === "Y" ? high : -z, up === "Y" ? z : high);
    this.rim.position.set(-x, up === "Y" ? high : z, up === "Y" ? -1.5 * z : high);
    const { camera } = this.key.shadow;
    camera.left = camera.bottom = -1.6 * size;
    camera.right = camera.top = 1.6 * size;
    camera.near = 0.01 * size;
    camera.far = 8 * size;
    camera.updateProjectionMatrix();
    this.invalidate();
  }

  /** Keeps the shadow's map about the figure as it moves. */
  follow(x: number, y: number, z: number): void {
    const shift = this.key.position.clone().sub(this.key.target.position);
    this.key.target.position.set(x, y, z);
    this.key.position.copy(this.key.target.position).add(shift);
  }

  resize(width: number, height: number): void {
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.view.resize(width, height);
    this.invalidate();
  }

  /** Draws anew with the next frame of the display. */
  invalidate(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.renderer.render(this.scene, this.view.camera);
      this.draw();
    });
  }

  private light(): void {
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(2048, 2048);
    this.key.shadow.radius = 5;
    this.key.shadow.bias = -0.0004;
    this.key.shadow.normalBias = 0.02;
  }
}
