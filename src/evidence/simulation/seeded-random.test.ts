/** Checks the seeded generator against an independent BigInt transcription, and its draws for uniformity. */
import { describe, expect, test } from "vitest";
import { SeededRandom } from "./seeded-random.ts";

const MASK = (1n << 32n) - 1n;

function rotateLeft(value: bigint, by: bigint): bigint {
  return ((value << by) | (value >> (32n - by))) & MASK;
}

/** xoshiro128**, as published at prng.di.unimi.it, over BigInt. */
function* xoshiro(s0: bigint, s1: bigint, s2: bigint, s3: bigint): Generator<number> {
  const s = [s0, s1, s2, s3] as [bigint, bigint, bigint, bigint];
  for (;;) {
    yield Number((rotateLeft((s[1] * 5n) & MASK, 7n) * 9n) & MASK);
    const shifted = (s[1] << 9n) & MASK;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotateLeft(s[3], 11n);
  }
}

/** The four words that splitmix32 makes of a 32-bit seed. */
function splitmix(seed: bigint): [bigint, bigint, bigint, bigint] {
  return [1n, 2n, 3n, 4n].map((step) => {
    let z = (seed + step * 0x9e3779b9n) & MASK;
    z = ((z ^ (z >> 16n)) * 0x85ebca6bn) & MASK;
    z = ((z ^ (z >> 13n)) * 0xc2b2ae35n) & MASK;
    return z ^ (z >> 16n);
  }) as [bigint, bigint, bigint, bigint];
}

function take<T>(count: number, next: () => T): T[] {
  return Array.from({ length: count }, next);
}

test("the transcription gives the published first outputs of state 1, 2, 3, 4", () => {
  const reference = xoshiro(1n, 2n, 3n, 4n);
  expect(take(10, () => reference.next().value)).toEqual([
    11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
  ]);
});

test.each([0, 1, 42, 2 ** 31, 2 ** 32 - 1])("bits of seed %i are those of the transcription", (seed) => {
  const reference = xoshiro(...splitmix(BigInt(seed)));
  const random = new SeededRandom(seed);
  for (let draw = 0; draw < 1000; draw++) expect(random.bits()).toBe(reference.next().value);
});

test("pinned outputs, which published experiments rest on", () => {
  const small = new SeededRandom(1);
  expect(take(4, () => small.bits())).toEqual([2442144158, 3238099751, 3819917871, 2104621829]);
  const large = new SeededRandom(Number.MAX_SAFE_INTEGER);
  expect(take(4, () => large.bits())).toEqual([3134669350, 834391797, 3029598409, 4097381401]);
  const uniform = new SeededRandom(7);
  expect(take(2, () => uniform.uniform())).toEqual([0.2338277214186818, 0.44891458133395923]);
});

test("seeds that differ, in the upper half too, give different draws", () => {
  const seeds = [0, 1, 2, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 33, 2 ** 52, 2 ** 53 - 1, 12_345_678_901];
  const firsts = seeds.map((seed) => {
    const random = new SeededRandom(seed);
    return take(4, () => random.bits()).join();
  });
  expect(new Set(firsts).size).toBe(seeds.length);
});

test("uniform is two draws of bits as 53 bits in [0, 1)", () => {
  const random = new SeededRandom(5);
  const bits = new SeededRandom(5);
  for (let draw = 0; draw < 1000; draw++) {
    const value = random.uniform();
    const high = BigInt(bits.bits()) >> 5n;
    const low = BigInt(bits.bits()) >> 6n;
    expect(value * 2 ** 53).toBe(Number((high << 26n) | low));
    expect(value >= 0 && value < 1).toBe(true);
  }
});

describe("below", () => {
  /** What chi-square exceeds with probability 1e-6, at 9 and at 2 degrees of freedom. */
  const CRITICAL_9 = 44.811;
  const CRITICAL_2 = 27.631;

  function chiSquare(observed: readonly number[], probabilities: readonly number[]): number {
    const draws = observed.reduce((sum, count) => sum + count, 0);
    return observed.reduce((sum, count, value) => {
      const expected = draws * probabilities[value]!;
      return sum + (count - expected) ** 2 / expected;
    }, 0);
  }

  function tally(bins: number, draws: number, bin: () => number): number[] {
    const observed = new Array<number>(bins).fill(0);
    for (let draw = 0; draw < draws; draw++) observed[bin()]! += 1;
    return observed;
  }

  test("is uniform on ten values, and not if one were 5 % likelier (false-alarm rate 1e-6)", () => {
    const random = new SeededRandom(2026);
    const observed = tally(10, 300_000, () => random.below(10));
    expect(chiSquare(observed, new Array(10).fill(0.1))).toBeLessThan(CRITICAL_9);
    const tilted = [0.105, ...new Array(9).fill(0.895 / 9)];
    expect(chiSquare(observed, tilted)).toBeGreaterThan(CRITICAL_9);
  });

  test("has no modulo bias at a bound of 3/4 of all bits (false-alarm rate 1e-6)", () => {
    const random = new SeededRandom(11);
    const observed = tally(3, 30_000, () => Math.floor(random.below(3 * 2 ** 30) / 2 ** 30));
    expect(chiSquare(observed, [1 / 3, 1 / 3, 1 / 3])).toBeLessThan(CRITICAL_2);
    // What bits modulo bound would give.
    expect(chiSquare(observed, [1 / 2, 1 / 4, 1 / 4])).toBeGreaterThan(CRITICAL_2);
  });

  test("takes the extreme bounds and refuses the impossible ones instead of drawing for ever", () => {
    const random = new SeededRandom(3);
    const bits = new SeededRandom(3);
    expect(random.below(2 ** 32)).toBe(bits.bits());
    expect(random.below(1)).toBe(0);
    for (const bound of [0, -1, 1.5, Number.NaN, 2 ** 32 + 1, Number.POSITIVE_INFINITY]) {
      expect(() => random.below(bound)).toThrow(expect.objectContaining({ code: "INTERNAL" }));
    }
  });
});
