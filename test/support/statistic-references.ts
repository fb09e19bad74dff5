/** Every statistic once more, from its definition: `test/references` has a file for each, and all tests of formulas are held to them. */
import { existsSync } from "node:fs";
import type { Rational } from "../../src/core/arithmetic/index.ts";
import {
  type Bounds,
  type EstimatorName,
  parseStatistic,
  STATISTICS,
  type Statistic,
} from "../../src/core/influence/index.ts";

export interface Reference {
  /** What follows the colon, given one to three ascending decimals strictly between the bounds. Absent where nothing follows. */
  argument?(places: readonly string[]): string;
  /** The statistic of some values, one or more, as a textbook has it. */
  of(values: readonly Rational[], given: Given): Rational[];
  /** What the paper's estimator publishes of a grid before noise; that of the kept values unless told. */
  kept?(grid: PartlyKept): Rational[];
  /** What the centred estimator publishes. */
  centred(grid: PartlyKept): Rational[];
}

export interface Given {
  /** What follows the colon. */
  readonly argument: string;
  readonly bounds: Bounds;
}

/** A grid of which some records are left out. */
export interface PartlyKept extends Given {
  /** How many are kept, and how many there are. */
  readonly kept: number;
  readonly total: number;
  /** The statistic of the kept values; empty if there are none. */
  readonly ofKept: readonly Rational[];
  /** Σ over users of the sum of all their values, held to m·mid ± Γ·U/2. Of the centred estimator only. */
  readonly clampedSum: Rational;
}

const found = await Promise.all(
  STATISTICS.map(async ({ name }) => {
    const file = new URL(`../references/${name}.ts`, import.meta.url);
    if (!existsSync(file)) throw new Error(`the statistic ${name} has no test/references/${name}.ts`);
    return [name, ((await import(file.href)) as { reference: Reference }).reference] as const;
  }),
);
const references = new Map<string, Reference>(found);

export function referenceOf({ kind }: Statistic): Reference {
  return references.get(kind.name)!;
}

/** What the statistic's key says after its colon, and what its bounds are. */
export function givenOf({ key }: Statistic, bounds: Bounds): Given {
  const colon = key.indexOf(":");
  return { argument: colon < 0 ? "" : key.slice(colon + 1), bounds };
}

/** One of each kind; `places` are where arguments are to lie, ascending and strictly between the bounds. */
export function everyStatistic(
  bounds: Bounds,
  { places, estimator = "kept" }: { places: readonly string[]; estimator?: EstimatorName | undefined },
): Statistic[] {
  return STATISTICS.map(({ name }) => {
    const argument = references.get(name)!.argument?.(places);
    return parseStatistic(argument === undefined ? name : `${name}:${argument}`, bounds, estimator);
  });
}
