/** The settings of the model that are tried, and how likely the numbers make each of them. */
import {
  alikePatch,
  type Setting,
  type Solved,
  type Standardised,
  solveIndependent,
  solvePatch,
} from "./covariance.ts";
import type { Neighbours, Patch } from "./patches.ts";

/** Of spreads: U/2, the most that values in the range can have, and each this much smaller than the one before. */
const MOST_SPREAD = Math.sqrt(3);
const SPREAD_RATIO = 1.4;
const LEAST_SPREAD = 1e-6;
/** The spread most likely before any number is seen, U/10. */
const USUAL_SPREAD = Math.sqrt(12) / 10;
const SHARES = [0.5, 1];
const STIFFNESSES = [0.1, 0.5, 2];
/** Squares of Laplace noise vary 5/2 times as much as those of Gaussian noise: they say so much less about the parameters. */
const EVIDENCE_POWER = 2 / 5;
/** The evidence is that of about so many grids. */
const SAMPLE = 3000;

/** A graph of grids, cut into patches. */
export interface Graph {
  readonly neighbours: Neighbours;
  readonly patches: readonly Patch[];
}

export interface Weighted {
  readonly setting: Setting;
  readonly weight: number;
}

/** Weights that add up to 1, the heaviest setting first. */
export function weighSettings(data: Standardised, graph: Graph | undefined): Weighted[] {
  const every = Math.ceil(data.known.length / SAMPLE);
  const cores = graph?.patches
    .filter((_, index) => index % every === 0)
    .map(({ grids, core }) => ({ grids: grids.subarray(0, core), core }));
  const settings = settingsFor(data, graph !== undefined);
  const evidence = settings.map(() => new Evidence());
  solve(
    cores === undefined ? data : { ...data, known: Int32Array.from(cores.flatMap(({ grids }) => [...grids])) },
    graph && cores && { neighbours: graph.neighbours, patches: cores },
    settings,
    (index, solved) => evidence[index]!.add(solved, data.numbers),
  );
  const logs = settings.map((setting, index) => logPrior(setting) + EVIDENCE_POWER * evidence[index]!.log());
  const most = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - most));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return settings
    .map((setting, index) => ({ setting, weight: weights[index]! / total }))
    .sort((left, right) => right.weight - left.weight);
}

/** Spreads far below the smallest noise change nothing. */
function settingsFor({ variances, known }: Standardised, isLinked: boolean): Setting[] {
  const leastNoise = Math.sqrt(known.reduce((least, grid) => Math.min(least, variances[grid]!), 1));
  const spreads = [MOST_SPREAD];
  while (spreads.at(-1)! > Math.max(leastNoise / 16, LEAST_SPREAD)) spreads.push(spreads.at(-1)! / SPREAD_RATIO);
  return spreads.flatMap((spread) => [
    { spread, share: 0, stiffness: 0 },
    ...(isLinked ? STIFFNESSES.flatMap((stiffness) => SHARES.map((share) => ({ spread, share, stiffness }))) : []),
  ]);
}

/** Grids alike and grids independent are equally likely before; the density of the spread is t·e^(−t²/2), per step of its logarithm t times that. */
function logPrior({ spread, share }: Setting): number {
  const t = spread / USUAL_SPREAD;
  return 2 * Math.log(t) - t ** 2 / 2 - (share > 0 ? Math.log(SHARES.length * STIFFNESSES.length) : 0);
}

/** Hands `take` what each setting makes of each patch; of all known grids together where the setting has them independent. */
export function solve(
  data: Standardised,
  graph: Graph | undefined,
  settings: readonly Setting[],
  take: (setting: number, solved: Solved, core: number) => void,
): void {
  for (const [index, setting] of settings.entries())
    if (setting.share === 0) take(index, solveIndependent(data, data.known, setting), data.known.length);
  if (graph === undefined) return;
  for (const stiffness of STIFFNESSES) {
    if (!settings.some((setting) => setting.stiffness === stiffness)) continue;
    for (const patch of graph.patches) {
      const alike = alikePatch(patch, graph.neighbours, stiffness);
      for (const [index, setting] of settings.entries())
        if (setting.stiffness === stiffness) take(index, solvePatch(data, alike, setting), patch.core);
    }
  }
}

/** The marginal density of numbers whose common mean is Gaussian about the middle of the range, with a uniform value's deviation. */
class Evidence {
  #logDeterminant = 0;
  #squares = 0;
  #weight = 0;
  #total = 0;

  add({ grids, numbers, ones, logDeterminant }: Solved, data: Float64Array): void {
    this.#logDeterminant += logDeterminant;
    for (const [at, grid] of grids.entries()) {
      this.#squares += numbers[at]! * data[grid]!;
      this.#weight += ones[at]!;
      this.#total += numbers[at]!;
    }
  }

  log(): number {
    const precision = this.#weight + 1;
    return -(this.#logDeterminant + Math.log(precision) + this.#squares - this.#total ** 2 / precision) / 2;
  }
}
