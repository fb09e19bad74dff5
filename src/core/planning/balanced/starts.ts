/** Where balancing starts: uniform shares, shares by records, and a fixed ladder of contribution bounds, whichever the goal likes best. */
import type { Occupancy } from "../../occupancy/index.ts";
import type { LongWork } from "../long-work.ts";
import type { Goal } from "./goal.ts";

/** Neighbours differ by about a half; larger bounds than anybody's records are left out. */
const LADDER = [
  1, 2, 3, 4, 6, 8, 12, 18, 27, 40, 60, 90, 135, 200, 300, 450, 700, 1000, 1500, 2300, 3500, 5000, 10_000,
];
const GRIDS = [1, 2, 4, 8] as const;
const RECORDS = [1, 2, 4, 8, 18, 40] as const;

/** What a user with so many records in so many grids spends on one where it has `own`, out of a budget of 1. */
type Rule = (own: number, records: number, grids: number) => number;

/**
 * Bounding every user's records, or grids and records in each, with the same noise everywhere, spends as these rules do. The plan
 * begins with the best of them, so that it is never worse in the model than bounding contributions.
 */
function* rules(mostRecords: number): Generator<Rule> {
  yield (_own, _records, grids) => 1 / grids;
  yield (own, records) => own / records;
  for (const [at, most] of LADDER.entries())
    if (at === 0 || LADDER[at - 1]! < mostRecords) yield (own, records) => (own * Math.min(1, most / records)) / most;
  for (const groups of GRIDS)
    for (const most of RECORDS)
      yield (own, _records, grids) => (Math.min(own, most) * Math.min(1, groups / grids)) / (groups * most);
}

/** The best of the ladder, or of every fourth of its rungs. */
export function* bestStart(goal: Goal, budget: number, isCoarse = false): LongWork<Float64Array> {
  const { occupancy } = goal;
  const records = recordsOf(occupancy);
  const all = [...rules(records.reduce((most, each) => Math.max(most, each), 0))];
  const tried = all.filter((_, at) => !isCoarse || at % 4 === 0);
  let best = { value: Number.POSITIVE_INFINITY, x: new Float64Array(occupancy.entries) };
  let x = new Float64Array(occupancy.entries);
  for (const [done, rule] of tried.entries()) {
    yield { step: "trying contribution bounds", done, of: tried.length };
    spend(occupancy, records, { rule, budget, into: x });
    if (goal.valueOfNoise(x) >= best.value) continue;
    const value = goal.value(x);
    if (value < best.value) [best, x] = [{ value, x }, best.x];
  }
  return best.x;
}

function recordsOf({ byUser, users }: Occupancy): Float64Array {
  const records = new Float64Array(users.length);
  for (let user = 0; user < users.length; user++)
    for (let entry = byUser.start[user]!; entry < byUser.start[user + 1]!; entry++)
      records[user]! += byUser.count[entry]!;
  return records;
}

function spend(
  { byUser, users }: Occupancy,
  records: Float64Array,
  { rule, budget, into }: { readonly rule: Rule; readonly budget: number; readonly into: Float64Array },
): void {
  const { start, count } = byUser;
  for (let user = 0; user < users.length; user++) {
    const grids = start[user + 1]! - start[user]!;
    for (let entry = start[user]!; entry < start[user + 1]!; entry++)
      into[entry] = budget * rule(count[entry]!, records[user]!, grids);
  }
}
