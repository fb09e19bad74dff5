/**
 * The sampler against exact probabilities, at random rational scales: `differential-sampler`. Every path of draws is walked where there are
 * few, every string of bytes is fed to the uniform integers, and where there are too many, counts are held against Chernoff's bound.
 */
import { Rational } from "../../src/core/arithmetic/index.ts";
import { laplaceAttempt } from "../../src/core/noise/discrete-laplace.ts";
import { bernoulliExp, discreteLaplace, RandomBits } from "../../src/core/noise/index.ts";
import { laplaceProbability, walk } from "../../test/support/every-path.ts";
import type { SeededRandom } from "../../test/support/random.ts";
import { replayedBytes } from "../../test/support/replayed-bytes.ts";
import { asInput, type FuzzTarget, oneOf } from "./target.ts";

type SamplerCase =
  | { readonly kind: "coin" | "round"; readonly numerator: number; readonly denominator: number }
  | { readonly kind: "below"; readonly bound: number }
  | { readonly kind: "counts"; readonly numerator: string; readonly denominator: string; readonly seed: number };

function generate(random: SeededRandom): Buffer {
  const kind = oneOf(random, ["coin", "coin", "round", "round", "below", "counts", "counts"] as const);
  const made: SamplerCase =
    kind === "below"
      ? { kind, bound: 1 + random.below(oneOf(random, [16, 256, 65_536])) }
      : kind === "counts"
        ? { kind, ...manyScaled(random), seed: random.below(2 ** 30) }
        : { kind, numerator: 1 + random.below(kind === "coin" ? 20 : 6), denominator: 1 + random.below(9) };
  return asInput(made);
}

/** A scale from a quarter to the size that releases use, whole or of long fractions. */
function manyScaled(random: SeededRandom): { numerator: string; denominator: string } {
  const denominator = 1n + BigInt(random.below(2 ** oneOf(random, [1, 4, 30])));
  const quarters = 1n + BigInt(random.below(2 ** oneOf(random, [2, 6, 30]))) * 2n ** BigInt(oneOf(random, [0, 0, 12]));
  return { numerator: String(quarters * denominator + BigInt(random.below(3))), denominator: String(4n * denominator) };
}

const ROUNDING = 1e-12;

/** What the walked paths give a coin lies below e^(−x), and above it with all that was not walked. */
function coinTrouble(numerator: number, denominator: number): string | undefined {
  const coin = { numerator: BigInt(numerator), denominator: BigInt(denominator) };
  const { of, rest } = walk((uniform) => bernoulliExp(uniform, coin), 1e-5);
  const exact = Math.exp(-numerator / denominator);
  const found = of.get(true) ?? 0;
  return found <= exact + ROUNDING && found + rest >= exact - ROUNDING
    ? undefined
    : `e^(−${numerator}/${denominator}) is ${exact}, the coin's between ${found} and ${found + rest}`;
}

/** Of a round that gives something, the share of every k, whatever the paths not walked give. */
function roundTrouble(numerator: number, denominator: number): string | undefined {
  const { of, rest } = walk((uniform) => laplaceAttempt(uniform, Rational.of(numerator, denominator)), 1e-5);
  const given = [...of].reduce((sum, [k, probability]) => (k === undefined ? sum : sum + probability), 0);
  for (let k = -4; k <= 4; k++) {
    const found = of.get(BigInt(k)) ?? 0;
    const exact = laplaceProbability(k, numerator / denominator);
    if (found / (given + rest) > exact + ROUNDING || (found + rest) / (given + rest) < exact - ROUNDING)
      return `t = ${numerator}/${denominator}: ${k} has ${exact}, the sampler's lies between ${found} and ${found + rest} of ${given} to ${given + rest}`;
    if (Math.abs(found - (of.get(BigInt(-k)) ?? 0)) > ROUNDING) return `t = ${numerator}/${denominator}: ±${k} differ`;
  }
  return undefined;
}

/** All strings of as many bytes as one draw takes: every integer comes of equally many of them, the others are drawn again. */
function belowTrouble(bound: number): string | undefined {
  const bytes = bound <= 1 ? 0 : bound <= 256 ? 1 : 2;
  const counts = new Uint32Array(bound);
  for (let string = 0; string < 256 ** bytes; string++) {
    let given: Uint8Array | undefined;
    const bits = new RandomBits((buffer) => {
      given = buffer.fill(1);
      for (let at = 0; at < bytes; at++) buffer[at] = (string >>> (8 * (bytes - 1 - at))) & 0xff;
    });
    const drawn = Number(bits.below(BigInt(bound)));
    // A byte that was used is wiped: the one after the string is, if the string was not enough.
    if (given === undefined || given[bytes] === 1) counts[drawn]! += 1;
  }
  const each = counts[0]!;
  return each > 0 && counts.every((count) => count === each)
    ? undefined
    : `below ${bound}: not every integer is as likely`;
}

const DRAWS = 12_000;
/** A sound sampler is accused by one input in 10¹²: by a run of a million inputs, once in a million runs. */
const FALSE_ALARM = 1e-12;
/** A scale this far off must be found out by the same draws; its counts come near the bound once in far more than 10¹². */
const OFF = 1.25;

/** Draws that lie in cells which are known exactly for any t: |k| up to some t's. */
function countsTrouble(draw: Extract<SamplerCase, { kind: "counts" }>): string | undefined {
  const scale = Rational.of(BigInt(draw.numerator), BigInt(draw.denominator));
  const bits = new RandomBits(replayedBytes(draw.seed));
  const draws = Array.from({ length: DRAWS }, () => Number(discreteLaplace(bits, scale)));
  const t = scale.toNumberNearest();
  const edges = [...new Set([0, 0.1, 0.3, 0.7, 1, 1.5, 2, 3, 5].map((share) => Math.floor(share * t)))];
  // Every event with the probability that scale s gives it: |k| above an edge, and k below 0.
  const events = [
    ...edges.map((edge) => ({
      count: draws.filter((draw) => Math.abs(draw) > edge).length,
      of: (s: number) => (2 * Math.exp(-(edge + 1) / s)) / (1 + Math.exp(-1 / s)),
    })),
    { count: draws.filter((draw) => draw < 0).length, of: (s: number) => Math.exp(-1 / s) / (1 + Math.exp(-1 / s)) },
  ];
  const limit = Math.log((2 * events.length) / FALSE_ALARM);
  const surprise = (s: number): number =>
    events.reduce((most, { count, of }) => Math.max(most, DRAWS * divergence(count / DRAWS, of(s))), 0);
  if (surprise(t) > limit)
    return `t = ${scale}: its counts are too far from their probabilities (${surprise(t)} > ${limit})`;
  for (const wrong of [t * OFF, t / OFF])
    if (surprise(wrong) <= limit) return `t = ${scale}: the counts would also do for ${wrong}: the test has no teeth`;
  return undefined;
}

/** P(a share q or beyond, where p is true) ≤ exp(−n·D(q‖p)), on either side (Chernoff). */
function divergence(q: number, p: number): number {
  const part = (one: number, other: number): number => (one === 0 ? 0 : one * Math.log(one / other));
  return part(q, p) + part(1 - q, 1 - p);
}

export const sampler: FuzzTarget = {
  longestMs: 30_000,
  generate,
  try: (input) => {
    const draw = JSON.parse(input.toString("utf8")) as SamplerCase;
    switch (draw.kind) {
      case "coin":
        return coinTrouble(draw.numerator, draw.denominator);
      case "round":
        return roundTrouble(draw.numerator, draw.denominator);
      case "below":
        return belowTrouble(draw.bound);
      case "counts":
        return countsTrouble(draw);
    }
  },
};
