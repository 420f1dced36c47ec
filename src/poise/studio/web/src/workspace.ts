/** The view in the middle of the page: scene, overlay and mouse, kept in step with the store. */

import { effect } from "@preact/signals";
import { ballAbout } from "./anatomy";
import { words } from "./format";
import { dragged } from "./interaction/gestures";
import { Hand } from "./interaction/hand";
import type { FigureInfo } from "./messages";
import { Brush } from "./overlay/brush";
import { drawGizmo } from "./overlay/gizmo";
import { drawGoals, drawSkeleton } from "./overlay/goals";
import { drawHandle, type Handle } from "./overlay/handles";
import { drawLimited, drawRanges } from "./overlay/limits";
import { drawRigidities } from "./paint/draw";
import { painted } from "./paint/stroke";
import { PALETTES } from "./palette";
import * as store from "./store";
import { Actors } from "./view/actors";
import { Stage } from "./view/stage";
import { Company } from "./walk/company";
import { WalkScene } from "./walk/scene";

export class Workspace {
  readonly stage: Stage;
  readonly hand: Hand;
  readonly actors: Actors;
  readonly walk: WalkScene;
  readonly company: Company;
  private readonly brush: Brush;
  /** The figure that is drawn; null before the first. */
  drawn: FigureInfo | null = null;
  private framed = "";

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly sheet: HTMLCanvasElement,
  ) {
    this.stage = new Stage(canvas, () => this.draw());
    // Drawn by the processor: so little is, that handing it over would take longer.
    this.brush = new Brush(sheet.getContext("2d", { willReadFrequently: true })!, this.stage.view);
    this.hand = new Hand(sheet, this.stage);
    const actors = new Actors(this.stage);
    this.actors = actors;
    this.walk = new WalkScene(this.stage);
    const company = new Company(this.stage);
    this.company = company;
    this.resize();
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    effect(() => this.stage.paint(store.theme.value));
    effect(() => {
      const figure = store.figure.value;
      if (figure !== null) actors.cast(figure);
    });
    effect(() => actors.paint(store.theme.value, store.skeletonShown.value, painted.value));
    effect(() => {
      const pose = store.pose.value;
      if (pose !== null) actors.show(pose);
      this.frameNewFigure();
    });
    effect(() => actors.haunt(store.ghosts.value));
    effect(() => company.paint(PALETTES[store.theme.value].body));
    effect(() => {
      const walks = (store.walk.value?.company ?? 0) > 0;
      company.show(walks ? store.crowd.value : null, actors.build);
    });
    effect(() => {
      this.readWhatIsDrawn();
      this.stage.invalidate();
    });
  }

  /** Looks at the selected segment or effector, or else at the whole figure. */
  frameSelection(): void {
    const figure = store.figure.value;
    const pose = store.pose.value;
    if (figure === null || pose === null) return;
    const { effector, segment } = store.selection.value;
    const named = figure.segments.findIndex((own) => own.name === segment);
    const chosen = store.sites.value.get(effector ?? "")?.segment ?? (named < 0 ? null : named);
    const { center, radius } = ballAbout(figure, pose, chosen);
    this.stage.view.frame(center, chosen === null ? radius : Math.max(2 * radius, 0.2));
    this.stage.invalidate();
  }

  /** The scene with what is drawn over it, as a picture. */
  picture(): HTMLCanvasElement {
    this.stage.render(1);
    const picture = document.createElement("canvas");
    picture.width = this.canvas.width;
    picture.height = this.canvas.height;
    const context = picture.getContext("2d")!;
    context.drawImage(this.canvas, 0, 0);
    context.drawImage(this.sheet, 0, 0, picture.width, picture.height);
    return picture;
  }

  /** Another figure is seen whole when it comes. */
  private frameNewFigure(): void {
    const figure = store.figure.value;
    const pose = store.pose.value;
    if (figure === null || pose === null || figure.name === this.framed) return;
    this.framed = figure.name;
    const { center, radius } = ballAbout(figure, pose, null);
    this.stage.fit(figure.up, 2 * radius);
    this.stage.view.frame(center, radius);
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.canvas.parentElement!;
    if (clientWidth === 0 || clientHeight === 0) return;
    const { view } = this.stage;
    if (clientWidth === view.width && clientHeight === view.height) return;
    const ratio = Math.min(devicePixelRatio, 2);
    this.sheet.width = Math.round(clientWidth * ratio);
    this.sheet.height = Math.round(clientHeight * ratio);
    this.stage.resize(clientWidth, clientHeight);
  }

  /** Subscribes to all that `draw` reads. */
  private readWhatIsDrawn(): void {
    for (const own of [store.goals, store.selection, store.limitShapes, store.tool, store.space])
      own.value;
    dragged.value;
    painted.value;
  }

  private draw(): void {
    const figure = store.figure.value;
    const pose = store.pose.value;
    const { brush, hand } = this;
    brush.clear(PALETTES[store.theme.value]);
    if (figure === null || pose === null) return;
    if (store.skeletonShown.value) drawSkeleton(brush, figure, pose);
    this.drawn = figure;
    if (store.walk.value !== null) return;
    if (painted.value !== null) {
      const { segment } = store.hovered.value;
      drawRigidities(brush, figure, pose, { values: painted.value, hovered: segment });
      return;
    }
    drawLimited(brush, figure, pose);
    this.drawLimits();
    drawGoals(brush, store.goals.value, store.sites.value, pose, dragged.value);
    const { effector } = store.selection.value;
    const hot = hand.hot.what === "handle" ? hand.hot.handle : null;
    const isHot = (own: Handle) => hot?.effector === own.effector && hot.kind === own.kind;
    const handles = hand.handles();
    handles.sort((a, b) => Number(isHot(a)) - Number(isHot(b))); // its name lies over the others
    for (const handle of handles) {
      const hovered = isHot(handle);
      drawHandle(brush, handle, hovered, handle.effector === effector);
    }
    const gizmo = hand.gizmo();
    if (gizmo !== null && !store.dragging.value)
      drawGizmo(brush, gizmo, hand.hot.what === "part" ? hand.hot.part : null);
  }

  private drawLimits(): void {
    const shown = store.limitShapes.value;
    const figure = store.figure.value;
    if (shown === null || figure === null) return;
    const rings = figure.segments[shown.segment]?.name === store.selection.value.segment;
    const hot = this.hand.hot.what === "ring" ? this.hand.hot.index : null;
    drawRanges(this.brush, shown.shapes, (dof) => words(figure.dofs[dof]!.name), { rings, hot });
  }
}
