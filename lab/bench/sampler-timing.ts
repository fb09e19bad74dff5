/** `npm run bench -- sampler-timing`: does the time of an answer tell its noise or the value under it? The sampler by itself, and through the service's clock. */

import { GridAnswers, type PlannedDataset } from "#apps/service";
import { Rational } from "#core/arithmetic";
import { RandomBits, systemBytes } from "#core/noise";
import type { Plan } from "#core/planning";
import { makeScenario, SHARED_GRIDS, type Target } from "#evidence/audit";
import { addNoise, headerText } from "#publish/release";
import type { BenchSize } from "./size.js";

type Side = "before" | "after";

interface Timed {
  readonly side: Side;
  /** |noise| in units of its expected size. */
  readonly size: number;
  readonly microseconds: number;
}

/** Noise above this many times its expected size is what the attacker would like to know of: one draw in seven. */
const LARGE = 2;
const DRAWS: Readonly<Record<BenchSize, number>> = { quick: 20_000, usual: 200_000, full: 1_000_000 };
/** A quarter of a second each. */
const ANSWERS: Readonly<Record<BenchSize, number>> = { quick: 40, usual: 240, full: 1_200 };
const HEADER = headerText({
  ...{ tool: "bench", dataset: "timed", key: "", reservedAt: "", notPrivate: false, plan: "plan", occupancy: "" },
  ...{ bounds: [Rational.ZERO, Rational.ONE], latticeStep: Rational.ONE, statistics: [], estimator: "kept" },
  ...{ strategy: "baseline", epsilon: null, partition: {}, users: 0, grids: 0, samples: 0 },
  ...{ loss: Rational.ZERO, lossSimple: Rational.ZERO },
});
/** Of a correlation's standard deviation 1/√n where there is none: exceeded once in 16,000. */
const DEVIATIONS = 4;

export async function benchSamplerTiming(size: BenchSize): Promise<boolean> {
  const target = makeScenario(SHARED_GRIDS, { epsilon: "1" }).attacks[1]!.targets[0]!;
  const draw = drawer(target);
  const direct = timeDraws(draw, DRAWS[size]);
  const answered = await timeAnswers(draw, ANSWERS[size]);
  console.log("What a stopwatch tells about a mean of two neighbouring datasets (AUC: 0.5 is a guess, 1 is certainty)");
  tell("the sampler by itself", direct);
  tell("the service, on its clock", answered);
  const limit = DEVIATIONS / Math.sqrt(answered.length);
  const left = Math.abs(correlation(answered));
  console.log(`  through the service a correlation of less than ${limit.toFixed(2)} is what chance gives\n`);
  return left < limit;
}

function drawer(target: Target): (side: Side) => number {
  const uniform = new RandomBits(systemBytes);
  return (side) => {
    const { steps, deltaSteps } = addNoise(target.exact[side], target, uniform);
    const scale = Rational.of(deltaSteps).divide(target.epsilon).toNumberNearest();
    return Math.abs(Number(steps[0]! - target.rounded[side][0]!)) / scale;
  };
}

function timeDraws(draw: (side: Side) => number, draws: number): Timed[] {
  for (let warmUp = 0; warmUp < 5_000; warmUp++) draw("before");
  return Array.from({ length: draws }, (_, at): Timed => {
    const side = sideOf(at);
    const begun = process.hrtime.bigint();
    const size = draw(side);
    return { side, size, microseconds: Number(process.hrtime.bigint() - begun) / 1000 };
  });
}

/** Questions as the service answers them, with the same noise behind them. */
async function timeAnswers(draw: (side: Side) => number, answers: number): Promise<Timed[]> {
  const drawn = new Map<string, number>();
  await using service = new GridAnswers({
    planOf: async () => ({ grids: ["before", "after"] }) as unknown as Plan,
    ledger: {
      committed: async ({ key, parts = [] }) => ({
        ...{ planHash: "plan", header: HEADER },
        texts: new Map(parts.filter((grid) => drawn.has(`${key} ${grid}`)).map((grid) => [grid, "{}"])),
      }),
    },
    releaser: {
      release: async ({ key }, grids) => {
        for (const grid of grids) drawn.set(`${key} ${grid}`, draw(grid as Side));
        return new Map();
      },
      [Symbol.asyncDispose]: async () => {},
    },
  });
  const timed: Timed[] = [];
  for (let at = 0; at < answers; at++) {
    const side = sideOf(at);
    const dataset = { name: "timed", key: String(at), plan: "plan" } as PlannedDataset;
    const begun = process.hrtime.bigint();
    await service.ask(dataset, side, { onlyReleased: false });
    const microseconds = Number(process.hrtime.bigint() - begun) / 1000;
    timed.push({ side, size: drawn.get(`${at} ${side}`)!, microseconds });
  }
  return timed;
}

/** Mixed, so that a machine that gets slower meanwhile is not taken for a leak. */
function sideOf(at: number): Side {
  return ((at * 2_654_435_761) >>> 7) % 2 === 0 ? "before" : "after";
}

function tell(name: string, timed: readonly Timed[]): void {
  const of = (isIt: (one: Timed) => boolean): number[] => timed.filter(isIt).map((one) => one.microseconds);
  const large = of((one) => one.size > LARGE);
  const small = of((one) => one.size <= LARGE);
  const [after, before] = [of((one) => one.side === "after"), of((one) => one.side === "before")];
  console.log(
    `  ${name.padEnd(25)} ${timed.length.toLocaleString("en-US").padStart(9)} answers, median ${median(of(() => true)).toFixed(1)} µs; ` +
      `correlation of time and |noise| ${correlation(timed).toFixed(3)}; ` +
      `AUC for noise above ${LARGE} scales ${auc(large, small).toFixed(3)}, for which dataset it was ${auc(after, before).toFixed(3)} (t = ${welch(after, before).toFixed(1)})`,
  );
}

/** Of ranks (Spearman): an interruption of the program is an outlier, not a leak. */
function correlation(timed: readonly Timed[]): number {
  const time = ranks(timed.map((one) => one.microseconds));
  const size = ranks(timed.map((one) => one.size));
  const middle = (timed.length - 1) / 2;
  let [both, ofTime, ofSize] = [0, 0, 0];
  timed.forEach((_, at) => {
    both += (time[at]! - middle) * (size[at]! - middle);
    ofTime += (time[at]! - middle) ** 2;
    ofSize += (size[at]! - middle) ** 2;
  });
  return both / Math.sqrt(ofTime * ofSize);
}

/** Mean ranks for equal values, from 0. */
function ranks(values: readonly number[]): Float64Array {
  const order = values.map((_, at) => at).sort((one, other) => values[one]! - values[other]!);
  const result = new Float64Array(values.length);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to < order.length && values[order[to]!] === values[order[from]!]) to += 1;
    for (let at = from; at < to; at++) result[order[at]!] = (from + to - 1) / 2;
    from = to;
  }
  return result;
}

/** The chance that one of `these` took longer than one of `those`. */
function auc(these: readonly number[], those: readonly number[]): number {
  const rank = ranks([...these, ...those]);
  let sum = 0;
  for (let at = 0; at < these.length; at++) sum += rank[at]!;
  return (sum - (these.length * (these.length - 1)) / 2) / (these.length * those.length);
}

/** Welch's t of the times below their 99th percentile. */
function welch(these: readonly number[], those: readonly number[]): number {
  const all = [...these, ...those].sort((one, other) => one - other);
  const longest = all[Math.floor(0.99 * all.length)]!;
  const moments = (values: readonly number[]): [mean: number, error: number] => {
    const cut = values.filter((value) => value <= longest);
    const mean = cut.reduce((sum, value) => sum + value, 0) / cut.length;
    return [mean, cut.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (cut.length - 1) / cut.length];
  };
  const [[mean, error], [otherMean, otherError]] = [moments(these), moments(those)];
  return (mean - otherMean) / Math.sqrt(error + otherError);
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1]!;
}
