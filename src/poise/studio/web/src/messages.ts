// Written by `python -m poise.studio.typescript`; change messages.py or its parts.

/**
 * The one definition of what the studio's page and its session say to each other.
 *
 * Here is what the session says, in commands.py what the page asks, in sections.py what the state is
 * made of. `python -m poise.studio.typescript` writes the page's types from them: messages.ts.
 *
 * How a connection goes:
 *
 * 1. The page opens `ws://127.0.0.1:PORT/ws?token=TOKEN`, the token of its own address. It gets one
 *    `State` (text) and one pose (binary). `State.editable` is false in a second window: it gets all
 *    patches and poses, and its commands are refused with a `Failure`, until it sends `TakeOver` or
 *    the editor has gone. One that was opened with the token `State.watch` stays so for good.
 * 2. The page sends commands (text, one object with `type`, and `id`, a number of its own). Each is
 *    answered by exactly one of `Done`, `Failure` (nothing changed) or the reply that the command
 *    names, with that `id`. What changed arrives before, as a `Patch`: whole sections of the state,
 *    only those that changed; replace yours. A pose follows when the pose changed.
 * 3. What moves with the display is binary (frames.py): goal moves, angles and times in; poses and
 *    ghosts out. Frames in carry a sequence number that only grows. The newest wins: the session
 *    may skip frames, and a pose says which frame it answers (`sequence`). Send a frame only when
 *    the last one was answered, or overwrite the one that waits: never queue more than one.
 *
 * A drag: `DragBegin` with a number of the page's own choice, then goal frames with that number (at
 * once, no need to wait), then `DragEnd`. It is one undo step; with `cancel` it leaves nothing. FK
 * sliders and rings do the same with `TurnBegin` and angle frames. Moving to a time (scrub, play) is
 * one time frame each; the page keeps the clock of play, and nothing of it can be undone.
 *
 * A walk: `WalkBegin`, then `WalkDrive` whenever keys or stick say something else. Poses and walk
 * frames come in real time until `WalkEnd`, or until `WalkRecord` has made a clip of it.
 *
 * Files: `POST /upload?token=…&name=walk.bvh` (body: the bytes) puts a dropped file beside the
 * session and answers {"path": …} for `OpenFile`; `GET /download?token=…&format=bvh` is the document
 * as a file. `GET /mesh/{key}?token=…` is the skin of an opened character, when `FigureInfo.mesh` is
 * set.
 *
 * Metres, radians, seconds; quaternions are (w, x, y, z); null stands for an open limit.
 */

export const PROTOCOL = 1;

export type GoalKind = "position" | "pose" | "orientation" | "aim" | "line" | "plane" | "half-space";

export type Chain = "limb" | "limb+torso" | "all";

export type Ease = "smooth" | "linear" | "hold";

export type GhostMode = "off" | "reference" | "previous-key" | "onion";

export type Ground = "flat" | "hills" | "stairs" | "ramp";

export type Stride = "natural" | "paper";

export type Jacobian = "auto" | "half" | "full" | "hybrid";

export type Vector = [number, number, number];

export type Quaternion = [number, number, number, number];

/** A rigid part. Its frame in the parent's at rest is offset and rotation, then the joint. */
export interface SegmentInfo {
  name: string;
  /** -1 for the root. */
  parent: number;
  offset: Vector;
  rotation: Quaternion;
  mass: number;
  center: Vector;
  /** Its kind: "revolute", "ball", "free", … */
  joint: string;
  dofs: number[];
}

/** One degree of freedom [rad, or m for translations]. */
export interface DofInfo {
  name: string;
  segment: number;
  kind: "rotation" | "translation";
  lower: number | null;
  upper: number | null;
  rest: number;
  rigidity: number;
  /** The DOF that drives this one through a joint group; -1 if it moves on its own. */
  leader: number;
}

/** A limit of two swing DOFs together. */
export interface ConeInfo {
  dofs: [number, number];
  half_angle: number;
}

/** A named point of a segment, and how it can be dragged. */
export interface SiteInfo {
  name: string;
  segment: number;
  offset: Vector;
  rotation: Quaternion;
  /** end: a hand, foot or head; pole: an elbow or knee; body: pelvis, chest; none: not drawn. */
  handle: "end" | "pole" | "body" | "none";
  /** What a goal on it can choose; more than one only where they differ. */
  chains: Chain[];
}

/** A round cone of the body in the frame of its segment. */
export interface LimbInfo {
  segment: number;
  start: Vector;
  end: Vector;
  start_radius: number;
  end_radius: number;
}

/** Joints that move together. */
export interface GroupInfo {
  name: string;
  dofs: number[];
  on: boolean;
}

/** The skin that an opened character brings: `GET /mesh/{key}?token=…` is it (binary glTF). */
export interface MeshInfo {
  key: string;
  /** Of each segment the number of its node in that file; -1 for none. */
  nodes: number[];
}

/** Everything about the figure that does not move. */
export interface FigureInfo {
  /** Poses carry it; drop those of another revision. */
  revision: number;
  name: string;
  up: "Y" | "Z";
  segments: SegmentInfo[];
  dofs: DofInfo[];
  cones: ConeInfo[];
  sites: SiteInfo[];
  limbs: LimbInfo[];
  /** Segments whose first limbs a skin joins, upwards; may be empty. */
  trunk: number[];
  /** Of each segment in the pose about whose limbs the page lays a skin: limbs apart. */
  bind: ([number, number, number, number, number, number, number])[];
  groups: GroupInfo[];
  /** The character's own skin; null for a body of our making. */
  mesh: MeshInfo | null;
}

/** A goal at the current time. Which of its targets count depends on its kind. */
export interface GoalInfo {
  id: number;
  effector: string;
  kind: GoalKind;
  on: boolean;
  /** Held before all goals that are not, and kept when a drag ends elsewhere. */
  pinned: boolean;
  weight: number;
  /** 0: as the angle keys have it; 1: at the target. */
  blend: number;
  chain: Chain;
  /** "" for the world, or the site or segment in whose frame the target is. */
  space: string;
  /**
   * In the world, whatever `space` is: of the site; or the point aimed at, or one on the line or
   * plane.
   */
  position: Vector;
  /** Of pose and orientation. */
  rotation: Quaternion;
  /** Of a line, or the normal of a plane; a half-space is on its side. */
  direction: Vector;
  keyed: boolean;
}

/** What was keyed at one time. */
export interface KeyInfo {
  id: number;
  time: number;
  ease: Ease;
  angles: boolean;
  goals: number[];
}

/** An offset over the clip, eased in before its time and out after it [s]. */
export interface FixInfo {
  id: number;
  time: number;
  ease_in: number;
  ease_out: number;
  /** Feet that stay where the clip has them. */
  held: string[];
}

/** The clip under the keys; it is never altered. */
export interface ClipInfo {
  name: string;
  frames: number;
  fps: number;
  duration: number;
  /** What a fix can hold. */
  feet: string[];
}

/** Keys over time. */
export interface TimelineInfo {
  fps: number;
  duration: number;
  loop: boolean;
  keys: KeyInfo[];
  fixes: FixInfo[];
  clip: ClipInfo | null;
}

/** How the session solves. */
export interface SettingsInfo {
  method: string;
  /** Keep the centre of mass over the pinned feet. */
  balance: boolean;
  /** Keep the feet above the ground. */
  ground: boolean;
  /** The root's rigidity while dragging, from 0 to 1. */
  stiff_root: number;
}

/** What undo and redo would do, and whether there is something to save. */
export interface HistoryInfo {
  undo: string | null;
  redo: string | null;
  /** The document's. */
  name: string;
  /** Its file, in the project folder. */
  path: string | null;
  saved: boolean;
}

/** What is selected: by name, each may be null. */
export interface SelectionInfo {
  effector: string | null;
  segment: string | null;
}

/** A method of the solver under "Advanced". */
export interface MethodInfo {
  name: string;
  source: string;
  /** What it has nothing like, of what others do unasked. */
  leaves_out: string[];
  /** Whether it takes no goal of a turn. */
  positions_only: boolean;
}

/** An example of the menu. */
export interface ExampleInfo {
  name: string;
  title: string;
  about: string;
}

/** What menus offer. Does not change. */
export interface ChoicesInfo {
  figures: string[];
  methods: MethodInfo[];
  examples: ExampleInfo[];
  /** File endings that can be opened, e.g. ".bvh". */
  read: string[];
  write: string[];
}

/** A file of the project folder that can be opened. */
export interface FileInfo {
  /** Within the folder. */
  path: string;
  /** [bytes] */
  size: number;
  /** When, in seconds since 1970. */
  modified: number;
}

/** Work of a session that did not end well; offer it, then send `Recover`. */
export interface RecoveryInfo {
  name: string;
  when: string;
  steps: number;
}

/** The figure walks: it goes where `WalkDrive` says, in real time, and walk frames come. */
export interface WalkInfo {
  ground: Ground;
  /** Goes up when there is other ground; `GET /ground?token=…&place=…` is its mesh. */
  place: number;
  stride: Stride;
  jacobian: Jacobian;
  /** How many others walk about the figure; their poses come as crowd frames. */
  company: number;
  recording: boolean;
  /** Why it cannot go on. */
  stopped: string | null;
}

/** The whole state, once after connecting. */
export interface State {
  type: "state";
  protocol: number;
  version: string;
  editable: boolean;
  /** The token of an address at which others may look on; null for those who do. */
  watch: string | null;
  figure: FigureInfo;
  goals: GoalInfo[];
  timeline: TimelineInfo;
  settings: SettingsInfo;
  history: HistoryInfo;
  selection: SelectionInfo;
  choices: ChoicesInfo;
  recovery: RecoveryInfo | null;
  walk: WalkInfo | null;
}

/** Sections that changed, each whole. */
export interface Patch {
  type: "patch";
  editable?: boolean;
  figure?: FigureInfo;
  goals?: GoalInfo[];
  timeline?: TimelineInfo;
  settings?: SettingsInfo;
  history?: HistoryInfo;
  selection?: SelectionInfo;
  recovery?: RecoveryInfo | null;
  walk?: WalkInfo | null;
}

/** The command of that id is done. */
export interface Done {
  type: "done";
  id: number;
}

/** The command of that id changed nothing; -1 for a frame or a message without one. */
export interface Failure {
  type: "failure";
  id: number;
  message: string;
}

/** Something to tell the person. */
export interface Notice {
  type: "notice";
  message: string;
  level: "info" | "warning";
}

/** How one goal ended, and why. */
export interface GoalSentence {
  goal: number;
  met: boolean;
  sentence: string;
}

/** Reply to `Explain`. */
export interface Explanation {
  type: "explanation";
  id: number;
  summary: string;
  goals: GoalSentence[];
  /** One sentence for each limit that presses, the strongest first. */
  limits: string[];
}

/**
 * A joint's limit in the world, for drawing.
 *
 * arc: turns about `axis` through `origin`; the joint points along `pointer` now (at angle
 * `value`), and the arc runs from `lower` to `upper`, null where open. cone: `axis` is its middle,
 * `upper` its half-angle. slide: along `axis`. ring: what a ball joint, one with a cone or without
 * limits, is turned about (`TurnBegin.about`); no DOF has its `value`, and `dofs` names one of
 * the joint.
 */
export interface LimitShape {
  kind: "arc" | "cone" | "slide" | "ring";
  dofs: number[];
  origin: Vector;
  axis: Vector;
  pointer: Vector;
  lower: number | null;
  upper: number | null;
  value: number;
}

/** Reply to `LimitsOf`. */
export interface Limits {
  type: "limits";
  id: number;
  segment: number;
  shapes: LimitShape[];
}

/** Reply to `ListFiles`: what is in the project folder. */
export interface Files {
  type: "files";
  id: number;
  folder: string;
  files: FileInfo[];
}

/**
 * The button went down on a site. Position it, or with `turn` also rotate it.
 *
 * With `goal` the target of that goal is dragged, whatever its kind: a point to look at, say.
 */
export interface DragBegin {
  type: "drag-begin";
  id: number;
  drag: number;
  effector: string;
  turn?: boolean;
  goal?: number | null;
}

/**
 * An FK slider or ring was taken; angle frames follow.
 *
 * With `about`, an axis in the world, a ball joint is turned as a whole: the frames then name any
 * DOF of it, and say how far it has turned about the axis since [rad].
 */
export interface TurnBegin {
  type: "turn-begin";
  id: number;
  drag: number;
  about?: Vector | null;
}

/** The button went up, or Esc was pressed (`cancel`). */
export interface DragEnd {
  type: "drag-end";
  id: number;
  drag: number;
  cancel?: boolean;
}

/** A goal on a site, with its target where the site is. */
export interface AddGoal {
  type: "add-goal";
  id: number;
  effector: string;
  kind?: GoalKind;
  pinned?: boolean;
}

/** Change what is given of a goal. Positions and directions are in the world. */
export interface ChangeGoal {
  type: "change-goal";
  id: number;
  goal: number;
  kind?: GoalKind;
  on?: boolean;
  pinned?: boolean;
  weight?: number;
  blend?: number;
  chain?: Chain;
  space?: string;
  position?: Vector;
  rotation?: Quaternion;
  direction?: Vector;
}

export interface RemoveGoal {
  type: "remove-goal";
  id: number;
  goal: number;
}

/** FK: set DOFs by name [rad or m]. */
export interface SetAngles {
  type: "set-angles";
  id: number;
  angles: Record<string, number>;
}

/** Back to the figure's rest pose at the current time. */
export interface RestPose {
  type: "rest-pose";
  id: number;
}

/** Change the limits of a DOF [rad or m]; null opens a side. */
export interface SetLimits {
  type: "set-limits";
  id: number;
  dof: string;
  lower: number | null;
  upper: number | null;
}

/** How readily DOFs move, 0 free to 1 frozen; by names or patterns. */
export interface SetRigidity {
  type: "set-rigidity";
  id: number;
  dofs: string[];
  rigidity: number;
}

/** Switch a joint group on or off. */
export interface SetGroup {
  type: "set-group";
  id: number;
  name: string;
  on: boolean;
}

/** Change what is given. */
export interface ChangeSettings {
  type: "change-settings";
  id: number;
  method?: string;
  balance?: boolean;
  ground?: boolean;
  stiff_root?: number;
}

/** K: key the solved angles and the active targets at the current time. */
export interface AddKey {
  type: "add-key";
  id: number;
}

/** Shift keys and fixes in time [s]; one that arrives at another's time replaces it. */
export interface MoveKeys {
  type: "move-keys";
  id: number;
  keys: number[];
  by: number;
}

/** Copy keys, the first of them to `time`. */
export interface CopyKeys {
  type: "copy-keys";
  id: number;
  keys: number[];
  time: number;
}

/** Delete keys and fixes. */
export interface DeleteKeys {
  type: "delete-keys";
  id: number;
  keys: number[];
}

export interface EaseKeys {
  type: "ease-keys";
  id: number;
  keys: number[];
  ease: Ease;
}

/**
 * Change what is given of a fix: how long before and after its time it is eased in and out
 * [s], and the feet that it holds where the clip has them.
 */
export interface ChangeFix {
  type: "change-fix";
  id: number;
  fix: number;
  ease_in?: number;
  ease_out?: number;
  held?: string[];
}

/**
 * Solve the motion anew, frame by frame, so that these effectors are where they were (hands,
 * feet, head and pelvis if none are named), inside the limits of the figure or those that the
 * clip itself keeps to, with a margin [rad]. The clip that comes of it replaces the clip.
 */
export interface TrackClip {
  type: "track-clip";
  id: number;
  effectors?: string[];
  limits?: "figure" | "learned";
  margin?: number;
  /** Lock feet where they stand. */
  contacts?: boolean;
}

/** Change what is given. */
export interface ChangeTimeline {
  type: "change-timeline";
  id: number;
  fps?: number;
  duration?: number;
  loop?: boolean;
}

export interface Select {
  type: "select";
  id: number;
  effector?: string | null;
  segment?: string | null;
}

/** What to draw besides the pose. Onion: so many frames each way, so many seconds apart. */
export interface SetGhosts {
  type: "set-ghosts";
  id: number;
  mode: GhostMode;
  count?: number;
  spacing?: number;
}

/** Begin anew with a built-in figure. */
export interface NewDocument {
  type: "new-document";
  id: number;
  figure: string;
}

export interface OpenExample {
  type: "open-example";
  id: number;
  name: string;
}

/** Open a file of the project folder, or an uploaded one. `also`: its skeleton (.asf). */
export interface OpenFile {
  type: "open-file";
  id: number;
  path: string;
  also?: string | null;
}

/** Save into the project folder; the ending chooses the format. Null: where it came from. */
export interface SaveFile {
  type: "save-file";
  id: number;
  path?: string | null;
}

/** Take the work that `State.recovery` offers, or let it go. */
export interface Recover {
  type: "recover";
  id: number;
  accept: boolean;
}

/** The figure walks off, from where the ground begins. */
export interface WalkBegin {
  type: "walk-begin";
  id: number;
  ground?: Ground;
  stride?: Stride;
  jacobian?: Jacobian;
  company?: number;
}

/**
 * Where to: forward [m/s], to the left [rad/s], and how long a stride is [m]; null: as people
 * choose it.
 */
export interface WalkDrive {
  type: "walk-drive";
  id: number;
  speed: number;
  turn: number;
  stride?: number | null;
}

/** Change what is given. On other ground it begins anew; with another stride it halts. */
export interface WalkChange {
  type: "walk-change";
  id: number;
  ground?: Ground;
  stride?: Stride;
  jacobian?: Jacobian;
  company?: number;
}

/** Begin to record; or, with `on` false, end the walk with its clip as the document. */
export interface WalkRecord {
  type: "walk-record";
  id: number;
  on: boolean;
}

/** Back to the document; what was recorded is dropped. */
export interface WalkEnd {
  type: "walk-end";
  id: number;
}

/** This window edits from now on, and the one that did looks on. */
export interface TakeOver {
  type: "take-over";
  id: number;
}

export interface Undo {
  type: "undo";
  id: number;
}

export interface Redo {
  type: "redo";
  id: number;
}

/** Why goals are not met. Answered by `Explanation`. */
export interface Explain {
  type: "explain";
  id: number;
}

/** The limits of a segment's joint as they are now. Answered by `Limits`. */
export interface LimitsOf {
  type: "limits-of";
  id: number;
  segment: string;
}

/** What can be opened. Answered by `Files`. */
export interface ListFiles {
  type: "list-files";
  id: number;
}

export type Outgoing = State | Patch | Done | Failure | Notice | Explanation | Limits | Files;

export type Command = DragBegin | TurnBegin | DragEnd | AddGoal | ChangeGoal | RemoveGoal | SetAngles | RestPose | SetLimits | SetRigidity | SetGroup | ChangeSettings | AddKey | MoveKeys | CopyKeys | DeleteKeys | EaseKeys | ChangeFix | TrackClip | ChangeTimeline | Select | SetGhosts | NewDocument | OpenExample | OpenFile | SaveFile | Recover | WalkBegin | WalkDrive | WalkChange | WalkRecord | WalkEnd | TakeOver | Undo | Redo | Explain | LimitsOf | ListFiles;

/**
 * The binary frames of the wire: what moves with the display. Little-endian, all parts aligned.
 *
 * In (page to session):
 *   u8 kind, u8 flags, u16 0, u32 sequence, then
 *   GOAL   u32 drag, f32 x y z [m] and, with flag TURNED, f32 quaternion w x y z
 *   ANGLE  u32 drag, u32 dof, f32 value [rad or m]
 *   TIME   f64 time [s]
 * Out (session to page):
 *   POSE   u8 kind, u8 flags, u16 goals, u32 sequence, u32 figure revision, u16 segments, u16 dofs,
 *          f32 time [s], f32 solve time [ms], f32 centre of mass x y z [m], then
 *          f32[segments][7] position x y z and quaternion w x y z of each segment in the world,
 *          f32[dofs] angles,
 *          goals times: u32 id, f32 position error [m], f32 angle error [rad],
 *          u8[dofs] limit bits: AT_LOWER, AT_UPPER, AT_CONE, and PRESSES where it holds a goal off
 *   GHOSTS u8 kind, u8 0, u16 poses, u32 figure revision, u16 segments, u16 0, then for each pose
 *          f32 time, f32[segments][7]
 *   WALK   u8 kind, u8 leading foot (0 left, 1 right), u16 0, u32 figure revision, f32 time [s],
 *          f32 speed [m/s], f32 heading [rad] from +z to +x about up, then f32 x y z [m] of: the body
 *          on the ground, where the leading foot should be, where the trailing toes should be
 *   CROWD  u8 kind, u8 0, u16 walkers, u32 figure revision, u16 segments, u16 0, then
 *          f32[walkers][segments][7]
 */

export const GOAL = 1;

export const ANGLE = 2;

export const TIME = 3;

export const POSE = 16;

export const GHOSTS = 17;

export const WALK = 18;

export const CROWD = 19;

export const TURNED = 1;

export const DRAGGING = 1;

export const MET = 2;

export const AT_LOWER = 1;

export const AT_UPPER = 2;

export const AT_CONE = 4;

export const PRESSES = 8;

export const POSE_HEADER = 36;

export const GHOSTS_HEADER = 12;

export const WALK_SIZE = 56;
