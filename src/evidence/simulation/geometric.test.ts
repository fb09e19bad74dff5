/** Checks geometric draws by chi-square against the distribution's formula; the test must reject a q that is 10 % off. */
import { expect, test } from "vitest";
import { SeededRandom } from "./seeded-random.ts";
import { geometric } from "./synthetic.ts";

const BINS = 20;
/** What chi-square with 19 degrees of freedom exceeds with probability 1e-6. */
const CRITICAL_19 = 63.677;
const DRAWS = 100_000;

/** Counts k in 20 bins whose edges are the quantiles of Geometric(q), against the bins' probabilities under `claimed`. */
function chiSquare(draws: readonly number[], q: number, claimed: number): number {
  const edges = Array.from({ length: BINS - 1 }, (_, bin) =>
    Math.max(bin + 1, Math.round(Math.log(1 - (bin + 1) / BINS) / Math.log(1 - q))),
  );
  const observed = new Array<number>(BINS).fill(0);
  for (const k of draws) {
    const bin = edges.findIndex((edge) => k <= edge);
    observed[bin < 0 ? BINS - 1 : bin]! += 1;
  }
  // P(count ≤ k) = 1 − (1 − q)^k.
  const cumulative = [0, ...edges.map((edge) => 1 - (1 - claimed) ** edge), 1];
  return observed.reduce((sum, count, bin) => {
    const expected = draws.length * (cumulative[bin + 1]! - cumulative[bin]!);
    return sum + (count - expected) ** 2 / expected;
  }, 0);
}

function draw(q: number, seed: number, count: number): number[] {
  const next = geometric(q, new SeededRandom(seed));
  return Array.from({ length: count }, next);
}

test.each([0.001, 0.01, 0.05])("q = %d is accepted, 10 %% more or less is not (false-alarm rate 1e-6)", (q) => {
  const draws = draw(q, 20_260_101, DRAWS);
  expect(draws.every((k) => Number.isInteger(k) && k >= 1)).toBe(true);
  expect(chiSquare(draws, q, q)).toBeLessThan(CRITICAL_19);
  expect(chiSquare(draws, q, 1.1 * q)).toBeGreaterThan(CRITICAL_19);
  expect(chiSquare(draws, q, 0.9 * q)).toBeGreaterThan(CRITICAL_19);
});

test("q = 1/2 halves from one count to the next (false-alarm rate 1e-6), and does not as q = 0.55", () => {
  const draws = draw(0.5, 9, DRAWS);
  // 1, 2, …, 9 and the rest: 9 degrees of freedom, exceeded at 44.811 with probability 1e-6.
  const statistic = (q: number) => {
    let sum = 0;
    for (let k = 1; k <= 10; k++) {
      const probability = k < 10 ? q * (1 - q) ** (k - 1) : (1 - q) ** 9;
      const observed = draws.filter((drawn) => (k < 10 ? drawn === k : drawn >= 10)).length;
      sum += (observed - DRAWS * probability) ** 2 / (DRAWS * probability);
    }
    return sum;
  };
  expect(statistic(0.5)).toBeLessThan(44.811);
  expect(statistic(0.55)).toBeGreaterThan(44.811);
});

test("each draw is the smallest k with (1 − q)^k ≤ u", () => {
  const uniforms = new SeededRandom(4);
  for (const k of draw(0.03, 4, 5000)) {
    const u = uniforms.uniform();
    // One part in 10^12 for the rounding of the powers.
    expect(0.97 ** k).toBeLessThanOrEqual(u * (1 + 1e-12));
    expect(0.97 ** (k - 1)).toBeGreaterThan(u * (1 - 1e-12));
  }
});

test("q = 1 is always one", () => {
  expect(new Set(draw(1, 3, 1000))).toEqual(new Set([1]));
});

test.each([0, -0.1, 1.0001, 0.00009, Number.NaN, Number.POSITIVE_INFINITY])("q = %d is refused", (q) => {
  expect(() => geometric(q, new SeededRandom(1))).toThrow(
    expect.objectContaining({ code: "PARAMETER_INVALID", message: expect.stringMatching(/^q \S+ must lie between/) }),
  );
});
