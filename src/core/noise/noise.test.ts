/** The samplers against exact probabilities by walking every path of draws, and against chi-square bounds that also reject a scale 10 % off. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { laplaceProbability, Path, walk } from "../../../test/support/every-path.ts";
import { replayedBytes } from "../../../test/support/replayed-bytes.ts";
import { Rational } from "../arithmetic/index.ts";
import { laplaceAttempt } from "./discrete-laplace.ts";
import { bernoulliExp, discreteLaplace, RandomBits, systemBytes, tailSteps } from "./index.ts";

describe("exact probabilities", () => {
  test.each([
    [0n, 1n],
    [1n, 1n],
    [1n, 2n],
    [2n, 3n],
    [5n, 2n],
  ])("bernoulliExp(%d/%d)", (numerator, denominator) => {
    const { of, rest } = walk((uniform) => bernoulliExp(uniform, { numerator, denominator }), 1e-7);
    const exact = Math.exp(-Number(numerator) / Number(denominator));
    expect(rest).toBeLessThan(1e-3);
    expect(of.get(true) ?? 0).toBeLessThanOrEqual(exact + 1e-12);
    expect((of.get(true) ?? 0) + rest).toBeGreaterThanOrEqual(exact - 1e-12);
  });

  test("e^(−1), the coin tossed most often, takes one series of coins and not another for e^0", () => {
    // Of 1, 2 and 3: the third coin is the first to fail, and three is odd.
    expect(bernoulliExp(new Path([0, 0, 2]), { numerator: 1n, denominator: 1n })).toBe(true);
  });

  test.each([
    [-1n, 1n],
    [1n, 0n],
    [1n, -1n],
    [-1n, -1n],
  ])("e^(−x) for x = %d/%d is refused", (numerator, denominator) => {
    const bits = new RandomBits(replayedBytes(1));
    expect(() => bernoulliExp(bits, { numerator, denominator })).toThrow(/probability for x ≥ 0 only/);
  });

  test.each([0, -1])("noise of scale %d is refused", (scale) => {
    const bits = new RandomBits(replayedBytes(1));
    expect(() => discreteLaplace(bits, Rational.of(scale))).toThrow(/a scale is above 0/);
  });

  test.each([
    [1, 1],
    [1, 2],
    [2, 1],
    [3, 2],
    [1, 3],
  ])("one round of discreteLaplace with t = %d/%d gives every k its share", (p, q) => {
    const { of, rest } = walk((uniform) => laplaceAttempt(uniform, Rational.of(p, q)), 1e-6);
    const given = [...of].reduce((sum, [k, probability]) => (k === undefined ? sum : sum + probability), 0);
    expect(rest).toBeLessThan(0.02);
    for (let k = -3; k <= 3; k++) {
      const found = of.get(BigInt(k)) ?? 0;
      const exact = laplaceProbability(k, p / q);
      // Of a round that gives something, the share of k lies between these, whatever the paths not walked give.
      expect(found / (given + rest)).toBeLessThanOrEqual(exact + 1e-12);
      expect((found + rest) / (given + rest)).toBeGreaterThanOrEqual(exact - 1e-12);
      expect(found).toBeCloseTo(of.get(BigInt(-k)) ?? 0, 12);
    }
  });
});

/** Pearson's statistic of draws in cells that are equally likely under P(k) ∝ exp(−|k|/t), t large. */
function chiSquare(draws: readonly number[], scale: number, cells: number): number {
  const counts = new Array<number>(cells).fill(0);
  for (const draw of draws) {
    const below = draw < 0 ? Math.exp(draw / scale) / 2 : 1 - Math.exp(-draw / scale) / 2;
    counts[Math.min(cells - 1, Math.floor(below * cells))]! += 1;
  }
  const expected = draws.length / cells;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

describe("chi-square on the scale that releases use", () => {
  const DRAWS = 20_000;
  const CELLS = 50;
  /** The 1 − 10⁻⁶ quantile for 49 degrees of freedom (Wilson–Hilferty 117.6, rounded up): a true sampler is rejected once in a million seeds. */
  const LIMIT = 118;
  const scale = Rational.of(2n ** 41n + 12_345n).divide(Rational.of(37, 100));
  const t = scale.toNumberNearest();
  const drawsOf = (source: (bytes: Uint8Array) => void): number[] => {
    const bits = new RandomBits(source);
    return Array.from({ length: DRAWS }, () => Number(discreteLaplace(bits, scale)));
  };
  const draws = drawsOf(replayedBytes(1));

  test("the true scale is accepted", () => {
    expect(chiSquare(draws, t, CELLS)).toBeLessThan(LIMIT);
    expect(chiSquare(drawsOf(replayedBytes(2)), t, CELLS)).toBeLessThan(LIMIT);
  });

  test.each([0.9, 1.1])("a scale %d times the true one is rejected", (factor) => {
    expect(chiSquare(draws, factor * t, CELLS)).toBeGreaterThan(LIMIT);
  });

  test("so are draws that all lie one tenth of a scale too high", () => {
    expect(
      chiSquare(
        draws.map((draw) => draw + 0.1 * t),
        t,
        CELLS,
      ),
    ).toBeGreaterThan(LIMIT);
  });

  test("the system's bytes give other draws each time", () => {
    const bits = new RandomBits(systemBytes);
    const drawn = Array.from({ length: 50 }, () => discreteLaplace(bits, scale));
    expect(new Set(drawn).size).toBe(50);
  });
});

describe("uniform integers", () => {
  test.each([1n, 2n, 3n, 5n, 256n, 257n, 2n ** 64n + 1n])("below %d stay below it and reach both ends", (bound) => {
    const bits = new RandomBits(replayedBytes(3));
    const drawn = Array.from({ length: 2_000 }, () => bits.below(bound));
    expect(drawn.every((each) => each >= 0n && each < bound)).toBe(true);
    if (bound <= 5n) expect(new Set(drawn).size).toBe(Number(bound));
    // The mean of 2,000 uniform draws is off by 5 standard deviations once in 1.7 million seeds.
    const mean = drawn.reduce((sum, each) => sum + Number(each) / Number(bound), 0) / drawn.length;
    const middle = (Number(bound) - 1) / (2 * Number(bound));
    expect(Math.abs(mean - middle)).toBeLessThan(5 * Math.sqrt(1 / 12 / drawn.length));
  });

  /** 0, 1, 2, … as bytes. */
  function countingBits(): RandomBits {
    let next = 0;
    return new RandomBits((bytes) => {
      for (let at = 0; at < bytes.length; at++) bytes[at] = next++ & 0xff;
    });
  }

  test.each([0n, -1n])("there is none below %d", (bound) => {
    expect(() => countingBits().below(bound)).toThrow(/empty range/);
  });

  test("a coin is the last bit of a byte", () => {
    const bits = countingBits();
    expect(Array.from({ length: 4 }, () => bits.coin())).toEqual([false, true, false, true]);
  });

  test("a byte is used once", () => {
    const bits = countingBits();
    expect(Array.from({ length: 5 }, () => bits.below(256n))).toEqual([0n, 1n, 2n, 3n, 4n]);
    expect(bits.below(2n ** 16n)).toBe(0x0506n);
    // 4 of 8 bits: the upper ones.
    expect(bits.below(16n)).toBe(0n);
  });
});

describe("tails", () => {
  const tail = (steps: bigint, t: number): number => (2 * Math.exp(-Number(steps) / t)) / (1 + Math.exp(-1 / t));

  test.each([0.3, 1, 2.5, 40, 1e6])("of t = %d are as long as asked for and hardly longer", (t) => {
    for (const delta of [0.5, 0.05, 0.001]) {
      const steps = tailSteps(Rational.fromNumber(t), Rational.fromNumber(delta));
      expect(tail(steps, t)).toBeLessThanOrEqual(delta * (1 + 1e-9));
      expect(tail(steps - 2n, t)).toBeGreaterThan(delta);
    }
  });
});

test("the noise path has no floating-point function and no other chance than the bytes it is given", () => {
  const folder = new URL("./", import.meta.url);
  const sources = readdirSync(folder).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  expect(sources.length).toBeGreaterThan(4);
  for (const file of sources) {
    const text = readFileSync(new URL(file, folder), "utf8").replaceAll(/\/\*\*[\s\S]*?\*\/|\/\/.*$/gm, "");
    expect(text, file).not.toMatch(/Math\s*\.\s*(random|log|exp|pow)|Math\s*\[|\*\*|parseFloat|\d\.\d/);
  }
});
