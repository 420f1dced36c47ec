/** The bodies on the stage: the figure and its ghosts. */

import { type BufferGeometry, FrontSide, MeshStandardMaterial } from "three";
import { Body, skinGeometry } from "../body/skin";
import type { GhostFrame, PoseFrame } from "../frames";
import type { FigureInfo } from "../messages";
import { PALETTES } from "../palette";
import type { Theme } from "../store";
import type { Stage } from "./stage";

const GHOST_OPACITY = 0.22;
const X_RAY_OPACITY = 0.35;

export class Actors {
  private figure: FigureInfo | null = null;
  private shape = "";
  private geometry: BufferGeometry | null = null;
  private body: Body | null = null;
  private ghosts: Body[] = [];
  private readonly skin = new MeshStandardMaterial({ roughness: 0.72, side: FrontSide });
  private readonly shade = new MeshStandardMaterial({
    roughness: 1,
    transparent: true,
    opacity: GHOST_OPACITY,
    depthWrite: false,
  });

  constructor(private readonly stage: Stage) {}

  paint(theme: Theme, translucent: boolean): void {
    this.skin.color.set(PALETTES[theme].body);
    this.shade.color.set(PALETTES[theme].ghost);
    this.skin.transparent = translucent;
    this.skin.opacity = translucent ? X_RAY_OPACITY : 1;
    this.skin.needsUpdate = true;
    this.stage.invalidate();
  }

  /** Builds the skin anew when the figure has another shape. */
  cast(figure: FigureInfo): void {
    const shape = JSON.stringify([figure.limbs, figure.bind, figure.trunk]);
    this.figure = figure;
    if (shape === this.shape) return;
    this.shape = shape;
    this.clear();
    this.geometry = skinGeometry(figure);
    this.body = new Body(figure, this.geometry, this.skin);
    this.body.mesh.castShadow = true;
    this.body.mesh.receiveShadow = true;
    this.stage.scene.add(this.body.mesh);
  }

  show(pose: PoseFrame): void {
    this.body?.show(pose.transforms);
    const [x, y, z] = pose.centerOfMass;
    this.stage.follow(x!, y!, z!);
    this.stage.invalidate();
  }

  haunt(frame: GhostFrame | null): void {
    const { figure, geometry } = this;
    if (figure === null || geometry === null) return;
    const poses = frame?.poses ?? [];
    while (this.ghosts.length > poses.length) this.ghosts.pop()!.dispose();
    while (this.ghosts.length < poses.length) {
      const ghost = new Body(figure, geometry, this.shade);
      this.ghosts.push(ghost);
      this.stage.scene.add(ghost.mesh);
    }
    poses.forEach((pose, i) => {
      this.ghosts[i]!.show(pose.transforms);
    });
    this.stage.invalidate();
  }

  private clear(): void {
    this.haunt(null);
    this.body?.dispose();
    this.geometry?.dispose();
  }
}
