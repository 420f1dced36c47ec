/** What the page shows, read-only, as `poise.state` in the browser's console; tests read it. */

import { segmentPosition, sitePosition } from "./anatomy";
import { partPlaces } from "./overlay/gizmo";
import { limitedSegments, ringTips } from "./overlay/limits";
import { painted } from "./paint/stroke";
import { shownRows } from "./plots/shown";
import { isBehind } from "./session";
import * as store from "./store";
import type { Workspace } from "./workspace";

export function exposeState(workspace: Workspace): void {
  Object.defineProperty(window, "poise", {
    value: Object.freeze({
      get state() {
        return snapshot(workspace);
      },
      /** Of an opened character: where its vertices are drawn [m], and how many textures it has. */
      get mesh() {
        const mesh = workspace.actors.worn;
        const points = mesh?.points().map((point) => point.toArray());
        return mesh === null ? null : { points, textures: mesh.textures };
      },
    }),
  });
}

function snapshot(workspace: Workspace) {
  const figure = store.figure.value;
  const pose = store.pose.value;
  if (figure === null || pose === null || workspace.drawn === null)
    return { ready: false, connected: store.connected.value };
  const box = workspace.stage.renderer.domElement.getBoundingClientRect();
  const { view } = workspace.stage;
  const onPage = <T extends { x: number; y: number }>(place: T): T => ({
    ...place,
    x: box.left + place.x,
    y: box.top + place.y,
  });
  const gizmo = workspace.hand.gizmo();
  const sites = figure.sites.map((site) => {
    const at = sitePosition(pose, site);
    return [site.name, onPage({ at: at.toArray(), ...view.project(at) })] as const;
  });
  return {
    ready: true,
    connected: store.connected.value,
    figure: figure.name,
    time: store.time.value,
    playing: store.playing.value,
    editable: store.editable.value,
    segments: Object.fromEntries(
      figure.segments.map((own, i) => [own.name, segmentPosition(pose, i).toArray()]),
    ),
    places: Object.fromEntries(
      figure.segments.map((own, i) => [own.name, onPage(view.project(segmentPosition(pose, i)))]),
    ),
    sites: Object.fromEntries(sites),
    angles: Object.fromEntries(figure.dofs.map((dof, i) => [dof.name, pose.angles[i]])),
    atLimit: [...limitedSegments(figure, pose).keys()].map((i) => figure.segments[i]!.name),
    rigidities: Object.fromEntries(figure.dofs.map((dof) => [dof.name, dof.rigidity])),
    painted: painted.value,
    groups: figure.groups,
    goals: store.goals.value,
    settings: store.settings.value,
    centerOfMass: [...pose.centerOfMass],
    timeline: store.timeline.value,
    keys: store.timeline.value?.keys ?? [],
    clip: store.timeline.value?.clip ?? null,
    selection: store.selection.value,
    gizmo: gizmo === null ? [] : partPlaces(gizmo, view).map(onPage),
    rings: ringTips(workspace.hand.rings(), view).map((tip) => ({
      ...onPage(tip),
      name: figure.dofs[tip.dof]!.name,
    })),
    limits: store.limitShapes.value?.shapes ?? [],
    history: store.history.value,
    hasMesh: workspace.actors.worn !== null,
    isFine: workspace.actors.isFine,
    fixes: store.timeline.value?.fixes ?? [],
    ghosts: store.ghosts.value?.poses.length ?? 0,
    plots: store.plotsShown.value ? shownRows.value : [],
    explanation: store.explanation.value?.summary ?? null,
    walk: store.walk.value,
    walking:
      store.walk.value === null ? null : { ...store.walkFrame.value, ...workspace.walk.drawn },
    company: workspace.company.size,
    pending: isBehind(),
  };
}
