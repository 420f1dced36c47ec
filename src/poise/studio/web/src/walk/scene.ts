/** A walk in the scene: its ground, the marks of the intended feet, and a camera that follows. */

import { effect } from "@preact/signals";
import { ConeGeometry, Fog, Group, Mesh, MeshStandardMaterial, Vector3 } from "three";
import type { WalkFrame } from "../frames";
import { PALETTES } from "../palette";
import * as store from "../store";
import type { Stage } from "../view/stage";
import { WalkGround } from "./ground";

/** As in Meredith & Maddock's Figure 1.4: the leading foot is green, the trailing toes are red. */
const COLOURS = ["#2fa84f", "#d8433f"];
const HEIGHT = 0.13; // of a mark [m]
const ABOVE = 0.9; // what is looked at, above the ground [m]
const DISTANCE = 6;
const ASIDE = 0.75; // the camera is behind the walker, and so far to its side [rad]
const ELEVATION = 0.24;
const CLARITY = 8; // where the mist begins [m]
const SIGHT = 17; // and where nothing is seen for it
const LAG = 0.18; // with what time constant the camera follows [s]

export class WalkScene {
  private readonly marks = new Group();
  private readonly ground: WalkGround;
  private last: { heading: number; time: number } | null = null;
  private eye = new Vector3();

  constructor(private readonly stage: Stage) {
    this.ground = new WalkGround(() => stage.invalidate());
    const pyramid = new ConeGeometry(0.06, HEIGHT, 4);
    for (const colour of COLOURS) {
      const mark = new Mesh(pyramid, new MeshStandardMaterial({ color: colour, roughness: 0.5 }));
      mark.castShadow = true;
      this.marks.add(mark);
    }
    this.marks.visible = false;
    stage.scene.add(this.marks, this.ground.mesh);
    effect(() => this.ground.paint(PALETTES[store.theme.value]));
    effect(() => this.appear(store.walk.value !== null));
    effect(() => {
      const frame = store.walkFrame.value;
      if (frame !== null && store.walk.peek() !== null) this.follow(frame);
    });
    effect(() => {
      this.marks.visible = store.walk.value !== null && store.marksShown.value;
      stage.invalidate();
    });
  }

  /** For those who look: what is drawn. */
  get drawn() {
    const shown = this.marks.visible;
    return {
      triangles: this.ground.triangles,
      marks: shown ? this.marks.children.map((mark) => mark.position.toArray()) : [],
      target: this.stage.view.target.toArray(),
    };
  }

  private appear(walks: boolean): void {
    const { scene, ground, view } = this.stage;
    ground.group.visible = !walks;
    const palette = PALETTES[store.theme.value];
    scene.fog = walks ? new Fog(palette.sky, CLARITY, SIGHT) : null;
    if (!walks && this.last !== null) {
      this.ground.forget();
      this.last = null;
      store.walkFrame.value = null;
      view.follow(view.target.clone().setY(ABOVE), 0);
    }
    this.stage.invalidate();
  }

  private follow(frame: WalkFrame): void {
    const walk = store.walk.peek()!;
    const up = store.figure.peek()?.up ?? "Y";
    const [body, ...feet] = frame.marks.map((mark) => new Vector3(...mark));
    this.ground.reach(walk, body!);
    this.marks.children.forEach((mark, i) => {
      mark.position.copy(feet[i]!);
      mark.position[up === "Y" ? "y" : "z"] += 0.5 * HEIGHT;
    });
    const { view } = this.stage;
    const wanted = body!.clone();
    wanted[up === "Y" ? "y" : "z"] += ABOVE;
    if (this.last === null) {
      this.eye.copy(wanted);
      view.behind(frame.heading, ASIDE, ELEVATION, DISTANCE);
    }
    const { heading, time } = this.last ?? frame;
    this.last = { heading: frame.heading, time: frame.time };
    this.eye.lerp(wanted, time > frame.time ? 1 : 1 - Math.exp((time - frame.time) / LAG));
    const turned = frame.heading - heading;
    view.follow(this.eye, Math.atan2(Math.sin(turned), Math.cos(turned)));
    this.stage.invalidate();
  }
}
