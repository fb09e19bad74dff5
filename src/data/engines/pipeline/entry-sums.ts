/** Reads groups' exact sums into typed columns, by entry of the array that some grids were asked of. */
import { invariant } from "../../../core/errors/index.ts";
import type { Occupancy } from "../../../core/occupancy/index.ts";
import type { InputLattice, LongWorkOptions } from "../../../core/planning/index.ts";
import type { EntrySums, SumsReading, SumsRequest } from "../engine.ts";
import type { CodedOccupancy } from "./counted.ts";
import type { Dialect } from "./dialect.ts";
import type { Exchange } from "./exchange.ts";
import { entryParts, type PartOfSum } from "./formulas.ts";
import type { CountedGroups } from "./totals.ts";

export interface SumsWork {
  readonly counted: Pick<CountedGroups, "coded" | "groups" | "pair" | "codes">;
  readonly lattice: InputLattice;
  readonly request: SumsRequest;
  readonly options: LongWorkOptions;
}

export async function entrySums(
  d: Dialect,
  exchange: Exchange,
  { counted, lattice, request, options }: SumsWork,
): Promise<SumsReading> {
  const { only, thresholds = [], squares = false } = request;
  const { coded, pair } = counted;
  const parts = entryParts(d, { lattice, squares, records: BigInt(coded.notes.records) });
  const entryOf = entryFinder(coded, only.occupancy);
  const { entries } = only.occupancy;
  const sums = parts.map((part) => ({ ...part, column: new BigUint64Array(entries) }));
  const atLeast = thresholds.map(() => new Uint32Array(entries));
  const counts = [...pair, "n_outside", ...thresholds.map((_, index) => `c${index}`)].map((name) => d.name(name));
  let clampedValues = 0;
  let done = 0;
  await exchange.readColumns(
    { from: counted.groups, counts, integers: parts.map(({ of }) => of) },
    (chunk) => {
      const { users, grids } = counted.codes(chunk.counts.slice(0, pair.length));
      const [outside, ...above] = chunk.counts.slice(pair.length);
      for (let row = 0; row < users.length; row++) {
        const entry = entryOf(users[row]!, grids[row]!);
        if (entry < 0) continue;
        clampedValues += outside![row]!;
        // Ids may be written in two ways in a table and be one as text: such groups are one entry.
        for (let at = 0; at < sums.length; at++) sums[at]!.column[entry]! += chunk.integers[at]![row]!;
        for (let at = 0; at < above.length; at++) atLeast[at]![entry]! += above[at]![row]!;
      }
      done += users.length;
      options.onProgress?.({ step: "reading sums", done });
    },
    options,
  );
  const sumsInto = (into: string): SumColumn[] => sums.filter((each) => each.into === into);
  return { sums: new SumColumns(sumsInto("s"), sumsInto("q"), atLeast), clampedValues };
}

/** From the engine's numbers to the entry; −1 where records are in grids that the plan leaves out, or none of a pair counts. */
function entryFinder({ users, grids }: CodedOccupancy, occupancy: Occupancy): (user: number, grid: number) => number {
  const userAt = Int32Array.from(users, (id) => occupancy.users.indexOf(id));
  const gridAt = Int32Array.from(grids, (id) => occupancy.grids.indexOf(id));
  return (user, grid) => {
    const [u, g] = [userAt[user]!, gridAt[grid]!];
    return u < 0 || g < 0 ? -1 : occupancy.entryOf(u, g);
  };
}

/** A part of every entry's sum. */
type SumColumn = Pick<PartOfSum, "unit"> & { readonly column: BigUint64Array };

class SumColumns implements EntrySums {
  readonly #sum: readonly SumColumn[];
  readonly #squares: readonly SumColumn[];
  readonly #atLeast: readonly Uint32Array[];

  constructor(sum: readonly SumColumn[], squares: readonly SumColumn[], atLeast: readonly Uint32Array[]) {
    this.#sum = sum;
    this.#squares = squares;
    this.#atLeast = atLeast;
  }

  sum(entry: number): bigint {
    return whole(this.#sum, entry);
  }

  sumOfSquares(entry: number): bigint {
    invariant(this.#squares.length > 0, "squares were asked for");
    return whole(this.#squares, entry);
  }

  atLeast(threshold: number, entry: number): number {
    return this.#atLeast[threshold]![entry]!;
  }
}

function whole(columns: readonly SumColumn[], entry: number): bigint {
  let sum = 0n;
  for (const { unit, column } of columns) sum += unit * column[entry]!;
  return sum;
}
