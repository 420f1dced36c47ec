/** How finely to draw while something moves, so that slow machines follow the hand as well. */

const SLOW = 40; // longer frames are drawn more coarsely [ms]
const FAST = 20; // shorter ones more finely
const COARSEST = 0.3; // of the display's own resolution
const WARMING = 8; // frames in which shaders are compiled: they say nothing of those to come
const PAUSE = 1000; // a longer gap was not one between two frames of a motion [ms]

export class Quality {
  /** Of the display's own resolution. */
  scale = 1;
  private mean = (SLOW + FAST) / 2;
  private last = 0;
  private seen = 0;

  /** A frame of a motion begins at `now` [ms]. */
  frame(now: number): void {
    const gap = now - this.last;
    this.last = now;
    if (gap > PAUSE || ++this.seen < WARMING) return;
    this.mean += 0.4 * (gap - this.mean);
    if (this.mean > SLOW) this.step(0.7);
    else if (this.mean < FAST) this.step(1.25);
  }

  private step(factor: number): void {
    this.scale = Math.max(COARSEST, Math.min(1, this.scale * factor));
    this.mean = (SLOW + FAST) / 2;
  }
}
