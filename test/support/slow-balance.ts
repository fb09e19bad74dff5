/** Balanced plans the slow way: traits and goal by their formulas, entry by entry, and a plain optimiser that takes many small steps. */
import type { Occupancy } from "../../src/core/occupancy/index.ts";
import type { GoalOptions } from "../../src/core/planning/balanced/goal.ts";

interface Entry {
  readonly user: number;
  readonly grid: number;
  readonly records: number;
  /** m/n. */
  readonly share: number;
  /** As they are before they are centred. */
  readonly traits: readonly number[];
}

export function entriesOf({ byUser, users, entries, samplesOfGrid }: Occupancy): Entry[] {
  const all = Array.from({ length: users.length }, (_, user) => {
    const own = Array.from({ length: entries }, (_, entry) => entry).slice(
      byUser.start[user]!,
      byUser.start[user + 1]!,
    );
    const records = own.reduce((total, entry) => total + byUser.count[entry]!, 0);
    return own.map((entry) => ({
      user,
      grid: byUser.grid[entry]!,
      records: byUser.count[entry]!,
      share: byUser.count[entry]! / samplesOfGrid[byUser.grid[entry]!]!,
      traits: [Math.log(byUser.count[entry]!), Math.log(records), Math.log(own.length)],
    }));
  });
  return all.flat();
}

const add = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Three by entry: centred within the grid with shares of records, in its standard deviations there; 0 where that is below 10⁻⁶ of all entries'. */
export function slowTraits(occupancy: Occupancy): number[][] {
  const entries = entriesOf(occupancy);
  const deviation = (numbers: readonly number[], shares: readonly number[]): number => {
    const mean = add(numbers.map((each, at) => each * shares[at]!));
    return Math.sqrt(add(numbers.map((each, at) => (each - mean) ** 2 * shares[at]!)));
  };
  const evenly = entries.map(() => 1 / entries.length);
  return entries.map((entry) =>
    entry.traits.map((trait, k) => {
      const there = entries.filter(({ grid }) => grid === entry.grid);
      const [numbers, shares] = [there.map(({ traits }) => traits[k]!), there.map(({ share }) => share)];
      const own = deviation(numbers, shares);
      const overall = deviation(
        entries.map(({ traits }) => traits[k]!),
        evenly,
      );
      // What is left of equal logarithms is rounding.
      if (own < Math.max(1e-6 * overall, 1e-9)) return 0;
      return (trait - add(numbers.map((each, at) => each * shares[at]!))) / own;
    }),
  );
}

/** The mean over grids and statistics of typical/range to a power, as docs and specification write it. */
export function slowGoal(occupancy: Occupancy, options: GoalOptions, x: ArrayLike<number>): number {
  const { spread, noise, power, worstCasePrice } = options;
  const entries = entriesOf(occupancy).map((entry, at) => ({ ...entry, x: x[at]! }));
  const traits = slowTraits(occupancy);
  const terms = Array.from({ length: occupancy.grids.length }, (_, grid) => {
    const there = entries.flatMap((entry, at) => (entry.grid === grid ? [{ ...entry, h: traits[at]! }] : []));
    const spent = add(there.map((entry) => entry.x));
    const moved = there.map((entry) => entry.x / spent - entry.share);
    const own = there.map(({ records }, at) => moved[at]! ** 2 * (spread.users ** 2 + spread.records ** 2 / records));
    const trends = [0, 1, 2].map((k) => add(there.map(({ h }, at) => moved[at]! * h[k]!)) ** 2 * spread.trend ** 2);
    const lacking = add(moved.map((each) => Math.max(0, -each)));
    const model = add(own) + add(trends) + (worstCasePrice * lacking) ** 2;
    return add(noise.map((each) => Math.sqrt(model + (each / spent) ** 2) ** power));
  });
  return add(terms) / (terms.length * noise.length);
}

/** x ← x·exp(−η·∂) with every user scaled back to its budget; η falls where a step does not gain, and grows where it does. */
export function slowDescent(
  {
    occupancy,
    value,
    gradient,
  }: { occupancy: Occupancy; value(x: Float64Array): number; gradient(x: Float64Array): Float64Array },
  from: Float64Array,
  { budget, steps }: { budget: number; steps: number },
): { readonly x: Float64Array; readonly value: number } {
  const { start } = occupancy.byUser;
  let x = from.slice();
  let best = value(x);
  let eta = 1;
  for (let count = 0; count < steps && eta > 1e-12; count++) {
    value(x);
    const slope = gradient(x);
    const largest = slope.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
    const tried = x.map((each, at) => each * Math.exp((-eta * slope[at]!) / largest));
    for (let user = 0; user < occupancy.users.length; user++) {
      const own = tried.subarray(start[user]!, start[user + 1]!);
      const sum = add(Array.from(own));
      if (sum > budget) for (let at = 0; at < own.length; at++) own[at]! *= budget / sum;
    }
    const next = value(tried);
    if (next < best) {
      [x, best] = [tried, next];
      eta *= 1.3;
    } else eta /= 2;
  }
  return { x, value: best };
}
