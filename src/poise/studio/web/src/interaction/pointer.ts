/** A pointer that Shift slows down: gestures read it instead of the mouse. */

export const FINE = 0.15;

export class FinePointer {
  constructor(
    public x: number,
    public y: number,
  ) {
    this.last = { x, y };
  }

  private last: { x: number; y: number };

  /** Follows the mouse to (x, y) of the view [px]. */
  follow(x: number, y: number, fine: boolean): void {
    const share = fine ? FINE : 1;
    this.x += share * (x - this.last.x);
    this.y += share * (y - this.last.y);
    this.last = { x, y };
  }
}
