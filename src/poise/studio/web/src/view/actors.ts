/** The bodies on the stage: the figure, fine and coarse, and its ghosts. */

import { MeshBasicMaterial, MeshStandardMaterial } from "three";
import { COARSE, FINE } from "../body/field";
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
  private fine: Body | null = null;
  /** Casts the shadow, and stands in for the fine one where that would be too slow. */
  private coarse: Body | null = null;
  private ghosts: Body[] = [];
  private readonly skin = new MeshStandardMaterial({ roughness: 0.72 });
  private readonly unseen = new MeshBasicMaterial({ colorWrite: false, depthWrite: false });
  private readonly shade = new MeshStandardMaterial({
    roughness: 1,
    transparent: true,
    opacity: GHOST_OPACITY,
    depthWrite: false,
    polygonOffset: true, // behind the body where both are at the same place
    polygonOffsetFactor: 4,
    polygonOffsetUnits: 40,
  });

  constructor(private readonly stage: Stage) {
    stage.refine = (fine) => this.refine(fine);
  }

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
    this.fine = new Body(figure, skinGeometry(figure, FINE), this.skin);
    this.coarse = new Body(figure, skinGeometry(figure, COARSE), this.unseen);
    this.coarse.mesh.castShadow = true;
    for (const { mesh } of [this.fine, this.coarse]) {
      mesh.receiveShadow = true;
      this.stage.scene.add(mesh);
    }
  }

  show(pose: PoseFrame): void {
    this.fine?.show(pose.transforms);
    this.coarse?.show(pose.transforms);
    const [x, y, z] = pose.centerOfMass;
    this.stage.follow(x!, y!, z!);
    this.stage.invalidate();
  }

  haunt(frame: GhostFrame | null): void {
    const { figure, coarse } = this;
    if (figure === null || coarse === null) return;
    const poses = frame?.poses ?? [];
    while (this.ghosts.length > poses.length) this.ghosts.pop()!.remove();
    while (this.ghosts.length < poses.length) {
      const ghost = new Body(figure, coarse.mesh.geometry, this.shade);
      this.ghosts.push(ghost);
      this.stage.scene.add(ghost.mesh);
    }
    poses.forEach((pose, i) => {
      this.ghosts[i]!.show(pose.transforms);
    });
    this.stage.invalidate();
  }

  private refine(fine: boolean): void {
    if (this.fine === null || this.coarse === null) return;
    this.fine.mesh.visible = fine;
    this.coarse.mesh.material = fine ? this.unseen : this.skin;
  }

  private clear(): void {
    this.haunt(null);
    for (const body of [this.fine, this.coarse]) {
      body?.remove();
      body?.mesh.geometry.dispose();
    }
  }
}
