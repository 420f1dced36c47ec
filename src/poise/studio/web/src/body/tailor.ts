/** A worker that lays fine skins, so that neither the page's start nor a drag waits for one. */

import type { FigureInfo } from "../messages";
import { FINE } from "./field";
import { skinOf } from "./skin";

self.onmessage = ({ data }: MessageEvent<FigureInfo>) => {
  const skin = skinOf(data, FINE);
  const transfer = Object.values(skin).map((array) => array.buffer as ArrayBuffer);
  self.postMessage(skin, { transfer });
};
