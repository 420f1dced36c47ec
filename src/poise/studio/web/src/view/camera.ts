/** The camera: turns about a point, slides and zooms; and between the screen and the world. */

import { PerspectiveCamera, Ray, Vector3 } from "three";

export interface Screen {
  x: number; // [px] from the left of the view
  y: number; // [px] from the top
  depth: number; // [m] before the camera; negative behind it
}

const TURN_SPEED = 0.0065; // [rad/px]
const STEEPEST = 1.5; // [rad] from the horizon
const NEAREST = 0.05; // [m]
const FARTHEST = 200;

export class View {
  readonly camera = new PerspectiveCamera(32, 1, 0.02, 500);
  readonly target = new Vector3(0, 0.95, 0);
  distance = 4.2;
  azimuth = 0.55; // about up, from the figure's front [rad]
  elevation = 0.16;
  width = 1;
  height = 1;

  constructor() {
    this.place();
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.place();
  }

  setUp(up: "Y" | "Z"): void {
    this.camera.up.set(0, up === "Y" ? 1 : 0, up === "Z" ? 1 : 0);
    this.place();
  }

  turn(dx: number, dy: number): void {
    this.azimuth -= TURN_SPEED * dx;
    const tilted = this.elevation + TURN_SPEED * dy;
    this.elevation = Math.max(-STEEPEST, Math.min(STEEPEST, tilted));
    this.place();
  }

  pan(dx: number, dy: number): void {
    const scale = this.pixelAt(this.target);
    const { elements } = this.camera.matrixWorld;
    const right = new Vector3(elements[0], elements[1], elements[2]);
    const above = new Vector3(elements[4], elements[5], elements[6]);
    this.target.addScaledVector(right, -dx * scale).addScaledVector(above, dy * scale);
    this.place();
  }

  zoom(factor: number): void {
    this.distance = Math.max(NEAREST, Math.min(FARTHEST, this.distance * factor));
    this.place();
  }

  /** Looks at a point that moves, and turns with it. */
  follow(at: Vector3, turned: number): void {
    this.target.copy(at);
    this.azimuth += turned;
    this.place();
  }

  /** Looks from behind at what heads somewhere [rad], from `aside` of straight behind it. */
  behind(heading: number, aside: number, elevation: number, distance: number): void {
    this.azimuth = heading + Math.PI - aside;
    this.elevation = elevation;
    this.distance = distance;
    this.place();
  }

  /** Looks at a ball so that it fills the view. */
  frame(center: Vector3, radius: number): void {
    const half = 0.5 * this.camera.fov * (Math.PI / 180);
    const narrow = Math.min(1, this.camera.aspect);
    this.target.copy(center);
    this.distance = Math.max(NEAREST, (1.05 * radius) / (Math.sin(half) * narrow));
    this.place();
  }

  project(point: Vector3): Screen {
    const seen = point.clone().applyMatrix4(this.camera.matrixWorldInverse);
    const depth = -seen.z;
    const flat = seen.applyMatrix4(this.camera.projectionMatrix);
    return {
      x: 0.5 * (1 + flat.x) * this.width,
      y: 0.5 * (1 - flat.y) * this.height,
      depth,
    };
  }

  /** The length of one pixel at a point of the world [m]. */
  pixelAt(point: Vector3): number {
    const depth = -point.clone().applyMatrix4(this.camera.matrixWorldInverse).z;
    const half = Math.tan(0.5 * this.camera.fov * (Math.PI / 180));
    return (2 * half * Math.max(depth, NEAREST)) / this.height;
  }

  /** The line of sight through a pixel. */
  ray(x: number, y: number): Ray {
    const { position } = this.camera;
    const far = new Vector3((2 * x) / this.width - 1, 1 - (2 * y) / this.height, 0.5);
    far.unproject(this.camera);
    return new Ray(position.clone(), far.sub(position).normalize());
  }

  /** Where the camera looks. */
  forward(): Vector3 {
    return this.camera.getWorldDirection(new Vector3());
  }

  private place(): void {
    const level = Math.cos(this.elevation);
    const side = level * Math.sin(this.azimuth);
    const front = level * Math.cos(this.azimuth);
    const above = Math.sin(this.elevation);
    const up = this.camera.up;
    const away = up.y === 1 ? new Vector3(side, above, front) : new Vector3(side, -front, above);
    this.camera.position.copy(this.target).addScaledVector(away, this.distance);
    this.camera.lookAt(this.target);
    this.camera.updateMatrixWorld();
  }
}
