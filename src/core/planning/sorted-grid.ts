/** A grid's entries by count, largest first, with marks at the two largest that are left: each mark moves forward only. */
import { Bits } from "./bits.ts";

export class SortedGrid {
  readonly #entries: Uint32Array;
  readonly #count: Uint32Array;
  readonly #dropped: Bits;
  #first = 0;
  #second = 1;

  /** `count` by entry. */
  constructor(entries: readonly number[], count: Uint32Array) {
    this.#count = count;
    this.#entries = Uint32Array.from(entries).sort((left, right) => count[right]! - count[left]! || left - right);
    this.#dropped = new Bits(this.#entries.length);
  }

  /** The entry with the largest count that is left, if any. */
  get first(): number | undefined {
    return this.#entries[this.#first];
  }

  get second(): number | undefined {
    return this.#entries[this.#second];
  }

  drop(entry: number): void {
    this.#dropped.add(this.#positionOf(entry));
    this.#first = this.#nextLeft(this.#first);
    this.#second = this.#nextLeft(Math.max(this.#second, this.#first + 1));
  }

  #nextLeft(from: number): number {
    let position = from;
    while (position < this.#entries.length && this.#dropped.has(position)) position += 1;
    return position;
  }

  /** By binary search in the order the entries were sorted in. */
  #positionOf(entry: number): number {
    const count = this.#count[entry]!;
    let low = 0;
    let high = this.#entries.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#entries[middle]!;
      if (this.#count[other]! > count || (this.#count[other] === count && other < entry)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
