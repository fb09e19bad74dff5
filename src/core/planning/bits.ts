/** A set of small integers, one bit each. */
export class Bits {
  readonly #words: Uint32Array;

  constructor(size: number) {
    this.#words = new Uint32Array((size >>> 5) + 1);
  }

  has(member: number): boolean {
    return (this.#words[member >>> 5]! & (1 << (member & 31))) !== 0;
  }

  add(member: number): void {
    this.#words[member >>> 5]! |= 1 << (member & 31);
  }

  delete(member: number): void {
    this.#words[member >>> 5]! &= ~(1 << (member & 31));
  }
}
