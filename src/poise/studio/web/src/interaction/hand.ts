/** The mouse on the view: what is under it, and which gesture a button begins. */

import { Vector3 } from "three";
import { segmentOnRay, sitePosition, siteRotation } from "../anatomy";
import type { LimitShape } from "../messages";
import { type Gizmo, gizmoAt, type Part, partNear } from "../overlay/gizmo";
import { type Handle, handleNear, handlesOf } from "../overlay/handles";
import { ringNear } from "../overlay/limits";
import { strokeGesture } from "../paint/stroke";
import { send } from "../session";
import * as store from "../store";
import type { Stage } from "../view/stage";
import {
  cameraGesture,
  type Gesture,
  orientGesture,
  Pinch,
  placeGesture,
  ringGesture,
} from "./gestures";
import { linePath, planePath } from "./paths";
import { FinePointer } from "./pointer";

const CLICK = 4; // a press that moved less is a click [px]
const WHEEL = 0.0012;
const FINGER = 26; // a handle is picked so near by touch [px]

/** What is under the pointer, the topmost first. */
type Hit =
  | { what: "part"; gizmo: Gizmo; part: Part }
  | { what: "ring"; index: number }
  | { what: "handle"; handle: Handle }
  | { what: "segment"; segment: number }
  | { what: "nothing" };

export class Hand {
  /** What the overlay draws as lit. */
  hot: Hit = { what: "nothing" };
  private gesture: Gesture | null = null;
  /** Fingers on the view, by the pointer's id; two of them move the camera. */
  private readonly fingers = new Map<number, { x: number; y: number }>();
  private pinch: Pinch | null = null;
  private pressed: { x: number; y: number; hit: Hit } | null = null;

  constructor(
    private readonly element: HTMLElement,
    private readonly stage: Stage,
  ) {
    element.addEventListener("pointerdown", (event) => this.press(event));
    element.addEventListener("pointermove", (event) => this.moveTo(event));
    element.addEventListener("pointerup", (event) => this.release(event));
    element.addEventListener("pointercancel", (event) => {
      this.lift(event);
      this.cancel();
    });
    element.addEventListener("pointerleave", () => this.hover({ what: "nothing" }));
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    element.addEventListener("wheel", (event) => this.zoom(event), { passive: false });
  }

  /** Ends the gesture under way and takes back what it did. True if there was one. */
  cancel(): boolean {
    const gesture = this.gesture;
    this.gesture = null;
    this.pressed = null;
    gesture?.cancel();
    return gesture !== null;
  }

  handles(): Handle[] {
    const pose = store.pose.value;
    if (pose === null || store.walk.value !== null || isPainting()) return [];
    return handlesOf(store.sites.value.values(), store.goals.value, pose, this.stage.view);
  }

  /** The gizmo about the selected effector, if one is selected. */
  gizmo(): Gizmo | null {
    const site = store.sites.value.get(store.selection.value.effector ?? "");
    const pose = store.pose.value;
    if (site === undefined || pose === null || store.walk.value !== null) return null;
    const tool = store.tool.value;
    if (tool === "paint") return null;
    const frame = store.space.value === "local" ? siteRotation(pose, site) : null;
    return gizmoAt(sitePosition(pose, site), tool, frame);
  }

  private at(event: MouseEvent): { x: number; y: number } {
    const box = this.element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private hit(x: number, y: number, reach?: number): Hit {
    const { view } = this.stage;
    const gizmo = this.gizmo();
    const handle = handleNear(this.handles(), x, y, reach);
    const near = gizmo === null ? null : partNear(gizmo, view, x, y);
    const away = handle === null ? Infinity : Math.hypot(handle.screen.x - x, handle.screen.y - y);
    if (gizmo !== null && near !== null && near.away < away)
      return { what: "part", gizmo, part: near.part };
    if (handle !== null) return { what: "handle", handle };
    const shapes = this.rings();
    const index = ringNear(shapes, view, x, y);
    if (index !== null) return { what: "ring", index };
    const { figure, pose } = { figure: store.figure.value, pose: store.pose.value };
    if (figure === null || pose === null) return { what: "nothing" };
    const segment = segmentOnRay(figure, pose, view.ray(x, y));
    return segment === null ? { what: "nothing" } : { what: "segment", segment };
  }

  /** The limits of the selected segment: its FK rings. */
  rings(): LimitShape[] {
    if (isPainting()) return [];
    const shown = store.limitShapes.value;
    const selected = store.selection.value.segment;
    const name = store.figure.value?.segments[shown?.segment ?? -1]?.name;
    return shown !== null && selected !== null && name === selected ? shown.shapes : [];
  }

  private press(event: PointerEvent): void {
    const { x, y } = this.at(event);
    if (event.pointerType === "touch") {
      this.fingers.set(event.pointerId, { x, y });
      if (this.fingers.size > 1) {
        this.cancel(); // what the first finger had begun
        this.pinch ??= new Pinch(this.stage.view, () => this.stage.invalidate());
        return;
      }
    }
    if (this.gesture !== null) return;
    const { view } = this.stage;
    const changed = () => this.stage.invalidate();
    this.element.setPointerCapture(event.pointerId);
    (document.activeElement as HTMLElement | null)?.blur();
    this.gesture = this.beginStroke(event, x, y);
    if (this.gesture !== null) return;
    if (event.button === 2 || (event.button === 1 && event.shiftKey)) {
      this.gesture = cameraGesture(view, x, y, "pan", changed);
    } else if (event.button === 1 || event.altKey) {
      this.gesture = cameraGesture(view, x, y, "turn", changed);
    } else if (event.button === 0) {
      const hit = this.hit(x, y, event.pointerType === "touch" ? FINGER : undefined);
      this.pressed = { x, y, hit };
      this.hover(hit);
      this.gesture = this.begin(hit, x, y) ?? cameraGesture(view, x, y, "turn", changed);
    }
  }

  /** With the rigidity brush, over the body: left stiffens; right, or with Alt, frees. */
  private beginStroke(event: PointerEvent, x: number, y: number): Gesture | null {
    const paints = isPainting() && store.editable.value && store.walk.value === null;
    if (!paints || event.button === 1) return null;
    return strokeGesture(this.stage.view, x, y, event.button === 2 || event.altKey);
  }

  private begin(hit: Hit, x: number, y: number): Gesture | null {
    if (!store.editable.value) return null;
    const { view } = this.stage;
    const taken = new FinePointer(x, y);
    if (hit.what === "handle") {
      void send({ type: "select", effector: hit.handle.effector, segment: null });
      const { effector, kind, goal, at } = hit.handle;
      const path = planePath(view, at, view.forward(), taken);
      const target = kind === "target" ? (goal?.id ?? null) : null;
      return placeGesture({ effector, goal: target, at }, path, taken);
    }
    if (hit.what === "part") return this.beginPart(hit.gizmo, hit.part, taken);
    if (hit.what === "ring") {
      const shape = this.rings()[hit.index]!;
      const center = new Vector3(...shape.origin);
      return ringGesture(view, shape, center, new Vector3(...shape.axis), taken);
    }
    return null;
  }

  private beginPart(gizmo: Gizmo, part: Part, taken: FinePointer): Gesture {
    const { view } = this.stage;
    const effector = store.selection.value.effector!;
    const axis = gizmo.axes[part.axis];
    if (part.shape === "ring") {
      const turn = siteRotation(store.pose.value!, store.sites.value.get(effector)!);
      return orientGesture(view, effector, { at: gizmo.at, turn, axis }, taken);
    }
    const path =
      part.shape === "arrow"
        ? linePath(view, gizmo.at, axis, taken)
        : planePath(view, gizmo.at, axis, taken);
    return placeGesture({ effector, goal: null, at: gizmo.at }, path, taken);
  }

  private moveTo(event: PointerEvent): void {
    const { x, y } = this.at(event);
    if (this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, { x, y });
    if (this.pinch !== null) this.pinch.move([...this.fingers.values()]);
    else if (this.gesture !== null) this.gesture.move(x, y, event.shiftKey);
    else this.hover(this.hit(x, y));
  }

  /** A finger is gone; with the last one the camera is let go. */
  private lift(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    if (this.fingers.size === 0) this.pinch = null;
  }

  private release(event: PointerEvent): void {
    const { x, y } = this.at(event);
    this.lift(event);
    const { gesture, pressed } = this;
    this.gesture = null;
    this.pressed = null;
    gesture?.end();
    if (pressed === null || Math.hypot(x - pressed.x, y - pressed.y) > CLICK) return;
    if (pressed.hit.what === "segment") {
      const { name } = store.figure.value!.segments[pressed.hit.segment]!;
      void send({ type: "select", segment: name, effector: null });
    } else if (pressed.hit.what === "nothing") {
      void send({ type: "select", segment: null, effector: null });
    }
  }

  private hover(hit: Hit): void {
    this.hot = hit;
    const effector = hit.what === "handle" ? hit.handle.effector : null;
    const site = store.sites.value.get(effector ?? "");
    const segment = hit.what === "segment" ? hit.segment : (site?.segment ?? null);
    const old = store.hovered.value;
    if (old.effector !== effector || old.segment !== segment)
      store.hovered.value = { effector, segment };
    const cursors = { nothing: "default", segment: isPainting() ? "crosshair" : "pointer" };
    this.element.style.cursor = cursors[hit.what as "nothing"] ?? "grab";
    this.stage.invalidate();
  }

  private zoom(event: WheelEvent): void {
    event.preventDefault();
    this.stage.view.zoom(Math.exp(WHEEL * event.deltaY));
    this.stage.invalidate();
  }
}

function isPainting(): boolean {
  return store.tool.value === "paint";
}
