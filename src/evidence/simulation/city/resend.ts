/** Sends every row two to four times, as wild feeds do: at once, or a little later out of a small store. */

import type { SeededRandom } from "../seeded-random.ts";
import { shuffle } from "./draws.ts";

/** Dealt from a shuffled deck, so that the rows of even a small file come out at the mean. */
const COPIES = [2, 2, 2, 2, 2, 3, 3, 3, 3, 4];
export const MEAN_COPIES = 2.6;
/** A later copy waits for one of these places to be drawn again: some dozens of rows. */
const STORE = 48;
const SENT_AT_ONCE = 0.5;

export class Resend {
  readonly #random: SeededRandom;
  readonly #deck = [...COPIES];
  readonly #store: Array<Uint8Array | undefined> = new Array(STORE).fill(undefined);
  #dealt = COPIES.length;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** Sends what is due after this row: copies of it, and rows that leave the store to make room for it. */
  after(row: Uint8Array, send: (row: Uint8Array) => void): void {
    if (this.#dealt === COPIES.length) {
      shuffle(this.#deck, this.#random);
      this.#dealt = 0;
    }
    const copies = this.#deck[this.#dealt]!;
    this.#dealt += 1;
    for (let copy = 1; copy < copies; copy++) {
      if (this.#random.uniform() < SENT_AT_ONCE) send(row);
      else {
        const place = this.#random.below(STORE);
        const leaving = this.#store[place];
        this.#store[place] = row;
        if (leaving !== undefined) send(leaving);
      }
    }
  }

  /** Sends what is still stored. */
  flush(send: (row: Uint8Array) => void): void {
    for (const [place, row] of this.#store.entries()) {
      if (row !== undefined) send(row);
      this.#store[place] = undefined;
    }
  }
}
