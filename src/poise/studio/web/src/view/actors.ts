/** The bodies on the stage: the figure, fine and coarse, and its ghosts. */

import { type Material, MeshBasicMaterial, MeshStandardMaterial } from "three";
import { Body, geometryOf } from "../body/body";
import type { Character } from "../body/character";
import { COARSE } from "../body/field";
import { type Skin, skinOf } from "../body/skin";
import type { GhostFrame, PoseFrame } from "../frames";
import type { FigureInfo } from "../messages";
import { endColours } from "../paint/rigidity";
import { tint } from "../paint/tint";
import { PALETTES } from "../palette";
import type { Theme } from "../store";
import type { Build } from "../walk/company";
import type { Stage } from "./stage";

const GHOST_OPACITY = 0.22;
const X_RAY_OPACITY = 0.35;

export class Actors {
  private figure: FigureInfo | null = null;
  private shape = "";
  /** Comes from the tailor, a little later than the coarse one. */
  private fine: Body | null = null;
  /** Casts the shadow, and stands in for the fine one until it is here and where it is too slow. */
  private coarse: Body | null = null;
  private tailor: Worker | null = null;
  private ghosts: (Body | Character)[] = [];
  /** The mesh that an opened file brought; drawn in place of both. */
  private character: Character | null = null;
  private meshKey = "";
  private rows: ArrayLike<number> | null = null;
  private opacity = 1;
  /** Of each segment its rigidity while that is shown, on a body of our own. */
  private tints: number[] | null = null;
  private theme: Theme = "light";
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

  paint(theme: Theme, translucent: boolean, rigidities: number[] | null): void {
    this.tints = rigidities;
    this.theme = theme;
    for (const body of [this.fine, this.coarse]) if (body !== null) this.tint(body);
    this.skin.vertexColors = rigidities !== null;
    this.skin.color.set(rigidities === null ? PALETTES[theme].body : "white");
    this.shade.color.set(PALETTES[theme].ghost);
    this.skin.transparent = translucent;
    this.opacity = translucent ? X_RAY_OPACITY : 1;
    this.skin.opacity = this.opacity;
    this.character?.setOpacity(this.opacity);
    this.skin.needsUpdate = true;
    this.stage.invalidate();
  }

  private tint(body: Body): void {
    const { tints, figure } = this;
    if (tints !== null && tints.length === figure?.segments.length)
      tint(body.mesh.geometry, tints, endColours(this.theme));
  }

  /** Builds the skin anew when the figure has another shape. */
  cast(figure: FigureInfo): void {
    const shape = JSON.stringify([figure.limbs, figure.bind, figure.trunk]);
    this.figure = figure;
    void this.dress(figure);
    if (shape === this.shape) return;
    this.shape = shape;
    this.clear();
    this.coarse = this.embodied(figure, skinOf(figure, COARSE), this.skin);
    this.coarse.mesh.castShadow = true;
    this.order(figure);
  }

  /** Has the fine skin made, and wears it when it comes. */
  private order(figure: FigureInfo): void {
    const tailor = new Worker(new URL("../body/tailor.ts", import.meta.url), { type: "module" });
    tailor.onmessage = ({ data }: MessageEvent<Skin>) => {
      tailor.terminate();
      this.fine = this.embodied(figure, data, this.skin);
      this.stage.invalidate();
    };
    tailor.postMessage(figure);
    this.tailor = tailor;
  }

  private embodied(figure: FigureInfo, skin: Skin, material: Material): Body {
    const body = new Body(figure, geometryOf(skin), material);
    body.mesh.receiveShadow = true;
    if (this.rows !== null) body.show(this.rows);
    this.tint(body);
    this.stage.scene.add(body.mesh);
    return body;
  }

  /** Puts on the mesh of the opened file, once it is here. */
  private async dress(figure: FigureInfo): Promise<void> {
    const key = figure.mesh?.key ?? "";
    if (key === this.meshKey) return;
    this.meshKey = key;
    this.haunt(null);
    this.character?.remove();
    this.character?.dispose();
    this.character = null;
    if (figure.mesh === null) return;
    const { fetched } = await import("./wardrobe"); // most people never need its loader
    const character = await fetched(figure.mesh);
    if (this.meshKey !== key || character === null) return;
    this.haunt(null);
    this.character = character;
    character.setOpacity(this.opacity);
    if (this.rows !== null) character.show(this.rows);
    this.stage.scene.add(character.scene);
    this.stage.invalidate();
  }

  /** The mesh that is drawn in place of a body of our own, for those who look. */
  get worn(): Character | null {
    return this.character;
  }

  /** What a crowd of the same build is drawn from. */
  get build(): Build | null {
    const { figure, coarse } = this;
    return figure === null || coarse === null ? null : { figure, geometry: coarse.mesh.geometry };
  }

  get isFine(): boolean {
    return this.fine !== null;
  }

  show(pose: PoseFrame): void {
    this.rows = pose.transforms;
    this.character?.show(pose.transforms);
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
      const ghost =
        this.character?.shadeOf(this.shade) ?? new Body(figure, coarse.mesh.geometry, this.shade);
      this.ghosts.push(ghost);
      this.stage.scene.add(ghost.scene);
    }
    poses.forEach((pose, i) => {
      this.ghosts[i]!.show(pose.transforms);
    });
    this.stage.invalidate();
  }

  private refine(fine: boolean): void {
    if (this.coarse === null) return;
    const bare = this.character === null || this.tints !== null;
    if (this.character !== null) this.character.scene.visible = !bare;
    const finely = fine && this.fine !== null;
    if (this.fine !== null) this.fine.mesh.visible = bare && finely;
    this.coarse.mesh.visible = bare;
    this.coarse.mesh.material = finely ? this.unseen : this.skin;
  }

  private clear(): void {
    this.haunt(null);
    this.tailor?.terminate();
    for (const body of [this.fine, this.coarse]) {
      body?.remove();
      body?.mesh.geometry.dispose();
    }
    this.fine = null;
    this.coarse = null;
    this.rows = null;
  }
}
