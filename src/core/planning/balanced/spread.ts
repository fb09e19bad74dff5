/** The public model that balanced plans are made for: how far users' averages, single records and trends are assumed to differ. */
import { parseDecimal, Rational } from "../../arithmetic/index.ts";
import { quoteForMessage, VeilgridError } from "../../errors/index.ts";
import type { Bounds } from "../../influence/index.ts";
import type { Occupancy } from "../../occupancy/index.ts";

/** Standard deviations in the value's unit, from public knowledge; of other features the same shares of their range. */
export interface Spread {
  /** Between users' averages in one grid. */
  readonly users: Rational;
  /** Between the records of one user in one grid. */
  readonly records: Rational;
  /** Of how values go with how much a user contributes. */
  readonly trend: Rational;
}

/** Parts of the range, chosen on simulated and public records and tried on others (lab/bench/results/peers.md). */
const DEFAULT_PARTS = { users: 32, records: 16, trend: 64 } as const;
const NAMES = ["users", "records", "trend"] as const;

export function defaultSpread({ width }: Bounds): Spread {
  const part = (name: keyof Spread): Rational => width.divide(Rational.of(DEFAULT_PARTS[name]));
  return { users: part("users"), records: part("records"), trend: part("trend") };
}

/** Reads `users=2,records=4,trend=1`; what is not named keeps its default. */
export function parseSpread(text: string | undefined, bounds: Bounds): Spread {
  const spread = { ...defaultSpread(bounds) };
  const given = new Set<string>();
  for (const part of text === undefined ? [] : text.split(",")) {
    const [key = "", value = "", ...more] = part.split("=").map((piece) => piece.trim());
    const name = NAMES.find((each) => each === key);
    if (name === undefined || more.length > 0 || given.has(key)) {
      throw new VeilgridError(
        "PARAMETER_INVALID",
        `--spread ${quoteForMessage(part)} is not one of users=…, records=… and trend=…, each once`,
      );
    }
    given.add(key);
    spread[name] = parseDecimal(value, `--spread ${name}`);
  }
  checkSpread(spread, bounds);
  return spread;
}

/** Without any spread of users and records, no weights would be better than others. */
export function checkSpread(spread: Spread, { width }: Bounds): void {
  const least = width.divide(Rational.of(1_000_000));
  const isSound =
    NAMES.every((name) => spread[name].sign() >= 0 && spread[name].compare(width) <= 0) &&
    spread.users.add(spread.records).compare(least) >= 0;
  if (!isSound) {
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--spread lies between 0 and the width ${width.toShortString()} of the bounds, and users and records are not both 0`,
    );
  }
}

/** The spread as shares of the range, in doubles. */
export function relativeSpread(spread: Spread, { width }: Bounds) {
  const share = (name: keyof Spread): number => spread[name].divide(width).toNumberNearest();
  return { users: share("users"), records: share("records"), trend: share("trend") };
}

export const TRAITS = 3;
/** Below this share of a trait's deviation over all entries, a grid's users count as alike. */
const ALIKE = 1e-6;

/**
 * What a user's values may go with, as far as counts tell: the logarithms of its records in the grid, of all its records and of
 * its grids, each centred and scaled within the grid by shares of its records; 0 where a grid's users are alike. Three by entry.
 */
export function traitsOf({ byUser, users, samplesOfGrid, entries }: Occupancy): Float32Array {
  const { start, grid, count } = byUser;
  const traits = new Float32Array(TRAITS * entries);
  const mean = new Float64Array(TRAITS * samplesOfGrid.length);
  const squares = new Float64Array(TRAITS * samplesOfGrid.length);
  const overall = new Float64Array(TRAITS);
  const overallSquares = new Float64Array(TRAITS);
  const own = new Float64Array(TRAITS);
  for (let user = 0; user < users.length; user++) {
    const [first, last] = [start[user]!, start[user + 1]!];
    let records = 0;
    for (let entry = first; entry < last; entry++) records += count[entry]!;
    own[1] = Math.log(records);
    own[2] = Math.log(last - first);
    for (let entry = first; entry < last; entry++) {
      own[0] = Math.log(count[entry]!);
      const share = count[entry]! / samplesOfGrid[grid[entry]!]!;
      for (let k = 0; k < TRAITS; k++) {
        const trait = own[k]!;
        traits[TRAITS * entry + k] = trait;
        mean[TRAITS * grid[entry]! + k]! += share * trait;
        overall[k]! += trait;
        overallSquares[k]! += trait * trait;
      }
    }
  }
  const alike = overall.map(
    (each, k) => ALIKE * Math.sqrt(Math.max(0, overallSquares[k]! / entries - (each / entries) ** 2)),
  );
  for (let entry = 0; entry < entries; entry++) {
    const share = count[entry]! / samplesOfGrid[grid[entry]!]!;
    for (let k = 0; k < TRAITS; k++) {
      const at = TRAITS * grid[entry]! + k;
      squares[at]! += share * (traits[TRAITS * entry + k]! - mean[at]!) ** 2;
    }
  }
  const deviations = squares.map(Math.sqrt);
  for (let entry = 0; entry < entries; entry++) {
    for (let k = 0; k < TRAITS; k++) {
      const at = TRAITS * grid[entry]! + k;
      const deviation = deviations[at]!;
      const centred = traits[TRAITS * entry + k]! - mean[at]!;
      // Float32 rounding of equal traits is no difference.
      traits[TRAITS * entry + k] = deviation <= Math.max(alike[k]!, 1e-5) ? 0 : centred / deviation;
    }
  }
  return traits;
}
