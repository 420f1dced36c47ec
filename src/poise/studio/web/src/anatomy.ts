/** Where the parts of the figure are in the pose that is shown. */

import { Quaternion, type Ray, Vector3 } from "three";
import type { PoseFrame } from "./frames";
import type { FigureInfo, SiteInfo } from "./messages";

export function segmentPosition(pose: PoseFrame, segment: number): Vector3 {
  return new Vector3().fromArray(pose.transforms, 7 * segment);
}

export function segmentRotation(pose: PoseFrame, segment: number): Quaternion {
  const [w, x, y, z] = pose.transforms.subarray(7 * segment + 3, 7 * segment + 7);
  return new Quaternion(x, y, z, w);
}

export function placed(pose: PoseFrame, segment: number, offset: Vector3): Vector3 {
  const turned = offset.clone().applyQuaternion(segmentRotation(pose, segment));
  return turned.add(segmentPosition(pose, segment));
}

export function sitePosition(pose: PoseFrame, site: SiteInfo): Vector3 {
  return placed(pose, site.segment, new Vector3(...site.offset));
}

export function siteRotation(pose: PoseFrame, site: SiteInfo): Quaternion {
  const [w, x, y, z] = site.rotation;
  return segmentRotation(pose, site.segment).multiply(new Quaternion(x, y, z, w));
}

/** The segment whose limb a line of sight meets first, or null. */
export function segmentOnRay(figure: FigureInfo, pose: PoseFrame, ray: Ray): number | null {
  let best: number | null = null;
  let nearest = Infinity;
  const onRay = new Vector3();
  const onLimb = new Vector3();
  for (const limb of figure.limbs) {
    const start = placed(pose, limb.segment, new Vector3(...limb.start));
    const end = placed(pose, limb.segment, new Vector3(...limb.end));
    // Rounding may leave a little below zero where the ray meets the very axis.
    const away = Math.sqrt(Math.max(0, ray.distanceSqToSegment(start, end, onRay, onLimb)));
    const radius = Math.max(limb.start_radius, limb.end_radius);
    const depth = onRay.distanceTo(ray.origin) - radius;
    if (away < radius && depth < nearest) {
      nearest = depth;
      best = limb.segment;
    }
  }
  return best;
}

/** A ball about the whole figure, or about a segment and what hangs on it [m]. */
export function ballAbout(
  figure: FigureInfo,
  pose: PoseFrame,
  segment: number | null,
): { center: Vector3; radius: number } {
  const chosen = figure.limbs.filter((limb) => segment === null || limb.segment === segment);
  const points = chosen.flatMap((limb) =>
    [limb.start, limb.end].map((at) => placed(pose, limb.segment, new Vector3(...at))),
  );
  const low = new Vector3(Infinity, Infinity, Infinity);
  const high = low.clone().negate();
  for (const point of points) {
    low.min(point);
    high.max(point);
  }
  const center = low.clone().add(high).multiplyScalar(0.5);
  const thick = Math.max(...chosen.map((limb) => Math.max(limb.start_radius, limb.end_radius)));
  return { center, radius: 0.5 * low.distanceTo(high) + thick };
}
