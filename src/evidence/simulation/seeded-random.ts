/** A seeded generator for experiments: the same seed gives the same numbers on every machine. NEVER for the noise of a release. */
import { invariant } from "../../core/errors/index.ts";

/** xoshiro128** (Blackman and Vigna), seeded through splitmix32. */
export class SeededRandom {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: number) {
    let mixed = seed >>> 0;
    // Seeds above 32 bits differ in their upper half as well.
    let high = Math.floor(seed / 2 ** 32) >>> 0;
    const next = (): number => {
      mixed = (mixed + 0x9e3779b9) >>> 0;
      high = Math.imul(high ^ (high >>> 16), 0x45d9f3b);
      let z = mixed ^ high;
      z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
      z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
      return z ^ (z >>> 16);
    };
    [this.#a, this.#b, this.#c, this.#d] = [next(), next(), next(), next()];
  }

  /** 32 uniform bits. */
  bits(): number {
    const product = Math.imul(this.#b, 5);
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
  }

  /** Uniform on [0, 1), 53 bits. */
  uniform(): number {
    return ((this.bits() >>> 5) * 2 ** 26 + (this.bits() >>> 6)) / 2 ** 53;
  }

  /** A uniform integer from 0 to bound − 1, without modulo bias; bound is a whole number from 1 to 2^32. */
  below(bound: number): number {
    invariant(Number.isInteger(bound) && bound >= 1 && bound <= 2 ** 32, "a random draw below an impossible bound");
    const limit = 2 ** 32 - (2 ** 32 % bound);
    for (;;) {
      const bits = this.bits();
      if (bits < limit) return bits % bound;
    }
  }
}
