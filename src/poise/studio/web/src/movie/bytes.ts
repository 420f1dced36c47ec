/** Bytes that a file is put together from. */

const FIRST = 1 << 16;

export class Bytes {
  private held = new Uint8Array(FIRST);
  private count = 0;

  get length(): number {
    return this.count;
  }

  push(...values: number[]): void {
    this.append(values);
  }

  append(values: ArrayLike<number>): void {
    this.makeRoom(values.length);
    this.held.set(values, this.count);
    this.count += values.length;
  }

  byte(value: number): void {
    this.makeRoom(1);
    this.held[this.count++] = value;
  }

  text(letters: string): void {
    this.append(Array.from(letters, (letter) => letter.charCodeAt(0)));
  }

  taken(): Uint8Array<ArrayBuffer> {
    return this.held.slice(0, this.count);
  }

  private makeRoom(more: number): void {
    if (this.count + more <= this.held.length) return;
    const roomier = new Uint8Array(Math.max(this.count + more, 2 * this.held.length));
    roomier.set(this.held.subarray(0, this.count));
    this.held = roomier;
  }
}
