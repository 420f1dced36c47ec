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
import { Quality } from "./quality";

const HASTE = 0.6; // at a smaller scale bodies are drawn coarsely
const STILL = 200; // a picture that stands so long is drawn in full [ms]

export class Stage {
  readonly scene = new Scene();
  readonly view = new View();
  readonly renderer: WebGLRenderer;
  readonly ground = new Ground();
  private readonly key = new DirectionalLight("#fff4e6", 2.3);
  private readonly rim = new DirectionalLight("#cfe3ff", 0.7);
  private readonly fill = new HemisphereLight("#ffffff", "#9a948c", 1.7);
  /** Called before each frame with whether there is time for a fine one. */
  refine: (fine: boolean) => void = () => {};
  private readonly quality = new Quality();
  private pending = false;
  private still = 0;

  /** `draw` paints what lies over the scene, after each frame of it. */
  constructor(
    canvas: HTMLCanvasElement,
    private readonly draw: () => void,
  ) {
    // Before the context is there, a size costs nothing; after, it takes new memory each time.
    const { width, height } = pixels(canvas.clientWidth, canvas.clientHeight, 1);
    Object.assign(canvas, { width, height });
    this.renderer = new WebGLRenderer({ canvas, antialias: true });
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
    this.key.intensity = dark ? 1.9 : 2.7;
    this.fill.intensity = dark ? 0.75 : 1.5;
    this.rim.intensity = dark ? 1.3 : 0.9;
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
    camera.left = camera.bottom = -1.1 * size;
    camera.right = camera.top = 1.1 * size;
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
    this.ground.follow(this.key.target.position);
  }

  resize(width: number, height: number): void {
    this.view.resize(width, height);
    this.render(1);
  }

  /** Draws anew with the next frame of the display. */
  invalidate(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame((now) => {
      this.pending = false;
      this.quality.frame(now);
      this.render(this.quality.scale);
      clearTimeout(this.still);
      if (this.quality.scale < 1) this.still = setTimeout(() => this.render(1), STILL);
    });
  }

  /** Draws at once; `scale` is a share of the display's own resolution. */
  render(scale: number): void {
    const { width, height } = this.view;
    const { domElement } = this.renderer;
    const wanted = pixels(width, height, scale);
    if (domElement.width !== wanted.width || domElement.height !== wanted.height)
      this.renderer.setDrawingBufferSize(width, height, wanted.ratio);
    this.refine(scale > HASTE);
    this.renderer.render(this.scene, this.view.camera);
    this.draw();
  }

  private light(): void {
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(1024, 1024);
    this.key.shadow.radius = 3;
    this.key.shadow.bias = -0.0004;
    this.key.shadow.normalBias = 0.02;
  }
}

/** The size of the picture of a view at a share of the display's own resolution. */
function pixels(width: number, height: number, scale: number) {
  const ratio = scale * Math.min(devicePixelRatio, 2);
  return { ratio, width: Math.floor(width * ratio), height: Math.floor(height * ratio) };
}
