/** The smallest K: like CLIP-USER, but the best choice of drops, with a proof of how small K can be. */
import type { ErrorLimit, ErrorModel } from "../../influence/index.ts";
import { Kept, type Occupancy } from "../../occupancy/index.ts";
import { type ClipUserOptions, clipUser } from "../clip-user/clip-user.ts";
import type { LongWork, ResultOf } from "../long-work.ts";
import { largestOf, sumOf } from "../numbers.ts";
import { type DropProblem, dropProgram, makeDropProblem } from "./drop-problem.ts";
import { type ImpossibleK, provesImpossible } from "./impossible-k.ts";
import type { LinearOutcome, LinearProgram, LinearSolver, SolveOptions } from "./linear-solver.ts";
import { PriceSearch } from "./price-search.ts";

export interface ClipUserOptimalOptions extends Pick<ClipUserOptions, "errorBound" | "protectLowest"> {
  /** What the solver may take in all; 60 if absent. The rest is quick and does not look at a clock. */
  readonly timeLimitSeconds?: number | undefined;
}

export type ClipUserOptimalResult = ResultOf<typeof clipUserOptimal>;

const DEFAULT_TIME_LIMIT_SECONDS = 60;
/** The fewest dropped records is not the goal: the solver may stop this near to it, relatively. */
const RECORDS_GAP = 0.1;
const PRICE_BITS = 40;
/** Rounds of prices for one k, and entries read in all of them. */
const FEWEST_ROUNDS = 40;
const MOST_ROUNDS = 300;
const ENTRIES_READ = 1e8;
const ROUNDS_PER_PLAN = 8;
const ENTRIES_PER_YIELD = 1e6;
/** Prices that just failed to prove anything are tried again when they are better by this factor. */
const LEAST_GAIN = 1.001;
/** A solver is not asked about more entries than this: it would hardly begin within its time. */
const MOST_ENTRIES_TO_SOLVE = 400_000;

/**
 * Never worse than CLIP-USER, from whose result it starts. Prices mostly decide by themselves; the solver has the last word where they do not, and
 * finds fewer drops for the same K. Both only suggest: every plan and every certificate is checked exactly. Without a solver a gap may remain.
 */
export function* clipUserOptimal(
  occupancy: Occupancy,
  model: ErrorModel,
  solver: LinearSolver | undefined,
  options: ClipUserOptimalOptions = {},
) {
  const { errorBound: given, protectLowest } = options;
  const clipped = yield* clipUser(occupancy, model, { errorBound: given, protectLowest });
  const { errorBound, protectedGrid } = clipped;
  const problem = yield* makeDropProblem(occupancy, model, { errorBound, protectedGrid });
  const search = new SmallestKSearch(problem, solver, {
    keptOfEntry: clipped.kept.ofEntry,
    timeLimitSeconds: options.timeLimitSeconds ?? DEFAULT_TIME_LIMIT_SECONDS,
  });
  const clipUserDegradation = search.k;
  yield* search.byPrices();
  yield* search.bySolver();

  const kept = new Kept(occupancy, search.keptOfEntry);
  return {
    kept,
    /** Entries dropped, ascending. */
    suppressed: kept.droppedEntries(),
    errorBound,
    protectedGrid,
    /** K, and CLIP-USER's for comparison. */
    degradation: search.k,
    clipUserDegradation,
    /** No plan has a smaller K … */
    lowerBound: search.lowerBound,
    lowerBoundBy: search.lowerBoundBy,
    /** The strongest there is: no plan has K ≤ k. Checked by `provesImpossible`. */
    certificate: search.certificate,
    optimal: search.lowerBound === search.k,
    /** A limit on time cut the search short: another run may give another plan. */
    timedOut: search.timedOut,
  };
}

export class SmallestKSearch {
  k: number;
  keptOfEntry: Uint32Array;
  lowerBound = 1;
  /** … because prices that were checked exactly say so, or the solver in floating point, or nothing has to (K ≥ 1). */
  lowerBoundBy: "certificate" | "solver" | "nature" = "nature";
  certificate: ImpossibleK | null = null;
  timedOut = false;
  readonly #problem: DropProblem;
  readonly #solver: LinearSolver | undefined;
  #secondsLeft: number;
  #droppedRecords = Number.POSITIVE_INFINITY;

  /** Starts from a plan that is within the bound. */
  constructor(
    problem: DropProblem,
    solver: LinearSolver | undefined,
    options: { keptOfEntry: Uint32Array; timeLimitSeconds: number },
  ) {
    this.#problem = problem;
    this.#solver = solver;
    this.#secondsLeft = options.timeLimitSeconds;
    this.keptOfEntry = options.keptOfEntry;
    this.k = new Kept(problem.occupancy, options.keptOfEntry).maxGridsPerUser();
    this.#accept(options.keptOfEntry);
  }

  /** Bisection: what is impossible for k is so for less, and what is possible for more. */
  *byPrices(): LongWork<void> {
    let high = this.k - 1;
    while (this.lowerBound <= high) {
      const middle = Math.ceil((this.lowerBound + high) / 2);
      yield* this.#priceRounds(middle);
      if (this.lowerBound <= middle) high = Math.min(this.k, middle) - 1;
    }
  }

  /** Upwards from the lower bound: the first K that has a plan is the smallest. At last, fewer drops for the same K. */
  *bySolver(): LongWork<void> {
    for (let k = this.lowerBound; k < this.k; k++) {
      yield { step: `looking for a proof that K is above ${k}`, done: k, of: this.k };
      if (this.lowerBound === k && this.#proveBySolver(k)) continue;
      yield { step: `looking for a plan with K = ${k}`, done: k, of: this.k };
      const found = this.#planBySolver(k, k < this.k - 1 ? this.#secondsLeft / 2 : this.#secondsLeft);
      if (found === "infeasible" && this.lowerBound === k) {
        this.lowerBound = k + 1;
        this.lowerBoundBy = "solver";
      } else if (found === "plan") return;
    }
    yield { step: `looking for fewer drops with K = ${this.k}`, done: this.k, of: this.k };
    this.#planBySolver(this.k, this.#secondsLeft);
  }

  /** Prices for k until they prove it impossible or lead to a plan, or enough is enough. */
  *#priceRounds(k: number): LongWork<void> {
    const { entries } = this.#problem.occupancy;
    const search = new PriceSearch(this.#problem, k);
    const rounds = Math.max(FEWEST_ROUNDS, Math.min(MOST_ROUNDS, Math.floor(ENTRIES_READ / entries)));
    const roundsPerYield = Math.max(1, Math.floor(ENTRIES_PER_YIELD / entries));
    let worthTrying = 1;
    for (let round = 0; round < rounds; round++) {
      if (round % roundsPerYield === 0) yield { step: `pricing drops for K = ${k}`, done: round, of: rounds };
      search.improve();
      if (search.bestRatio > worthTrying) {
        if (this.#provenBy(k, search.bestPrices)) return;
        worthTrying = search.bestRatio * LEAST_GAIN;
      }
      const plan = round % ROUNDS_PER_PLAN === 0 && search.bestRatio < 1 ? search.plan() : undefined;
      if (plan !== undefined && this.#accept(plan)) return;
    }
  }

  #provenBy(k: number, prices: readonly number[] | Float64Array): boolean {
    const { occupancy, limit, protectedGrid } = this.#problem;
    const proof = { k, prices: wholePrices(prices) };
    const claim = { errorBound: limit.bound, protectedGrid, proof };
    if (!provesImpossible(occupancy, limit.model, claim)) return false;
    this.certificate = proof;
    this.lowerBound = k + 1;
    this.lowerBoundBy = "certificate";
    return true;
  }

  #proveBySolver(k: number): boolean {
    if (!this.#isSolvable(k)) return false;
    const { program, budgetRow, budgetUnit } = dropProgram(this.#problem, k, "overload");
    const { rowDuals } = this.#solve(program, { relaxed: true, timeLimitSeconds: this.#secondsLeft });
    if (rowDuals === undefined) return false;
    const prices = Array.from(budgetUnit, (unit, grid) => Math.max(0, -(rowDuals[budgetRow[grid] ?? -1] ?? 0) / unit));
    return this.#provenBy(k, prices);
  }

  #planBySolver(k: number, timeLimitSeconds: number): "plan" | "infeasible" | "unknown" {
    if (!this.#isSolvable(k)) return "unknown";
    const { program, entryOfColumn } = dropProgram(this.#problem, k, "fewest records");
    const outcome = this.#solve(program, { timeLimitSeconds, gap: RECORDS_GAP });
    if (outcome.status === "infeasible") return "infeasible";
    if (outcome.values === undefined) return "unknown";
    const keptOfEntry = this.#problem.occupancy.byUser.count.slice();
    for (const [column, entry] of entryOfColumn.entries())
      if (entry >= 0 && (outcome.values[column] ?? 0) > 0.5) keptOfEntry[entry] = 0;
    return this.#accept(keptOfEntry) ? "plan" : "unknown";
  }

  #isSolvable(k: number): boolean {
    if (this.#solver === undefined) return false;
    if (this.#secondsLeft <= 0) {
      this.timedOut = true;
      return false;
    }
    const { occupancy } = this.#problem;
    let concerned = 0;
    for (let user = 0; user < occupancy.users.length; user++) {
      const grids = occupancy.gridsOfUser(user);
      if (grids > k) concerned += grids;
    }
    return concerned <= MOST_ENTRIES_TO_SOLVE;
  }

  #solve(program: LinearProgram, options: SolveOptions): LinearOutcome {
    const outcome = this.#solver!.solve(program, options);
    this.#secondsLeft -= outcome.seconds;
    if (outcome.status === "stopped") this.timedOut = true;
    return outcome;
  }

  /** Takes a plan that is within the bound everywhere, and better than the best so far. */
  #accept(keptOfEntry: Uint32Array): boolean {
    const { occupancy, limit, protectedGrid } = this.#problem;
    const suggested = new Kept(occupancy, keptOfEntry);
    for (let grid = 0; grid < occupancy.grids.length; grid++) {
      const { total, kept, largest } = suggested.countsOf(grid);
      if (!limit.allows(total, kept, largest) || (grid === protectedGrid && kept < total)) return false;
    }
    const k = suggested.maxGridsPerUser();
    const restored = new Kept(occupancy, restoreDrops(occupancy, limit, { keptOfEntry, mostGrids: k }));
    const droppedRecords = occupancy.samples - sumOf(restored.ofGrid);
    if (k > this.k || (k === this.k && droppedRecords >= this.#droppedRecords)) return false;
    this.k = k;
    this.keptOfEntry = restored.ofEntry;
    this.#droppedRecords = droppedRecords;
    return true;
  }
}

/** In the same proportion, as whole numbers of at most PRICE_BITS bits. */
function wholePrices(prices: readonly number[] | Float64Array): bigint[] {
  const largest = Math.max(Number.MIN_VALUE, largestOf(prices));
  return Array.from(prices, (price) => BigInt(Math.round((price / largest) * 2 ** PRICE_BITS)));
}

/** Γ by entry after taking back what can be, the most records first, over and over until nothing more can. */
export function restoreDrops(
  occupancy: Occupancy,
  limit: ErrorLimit,
  options: { keptOfEntry: Uint32Array; mostGrids: number },
): Uint32Array {
  const { grid, count } = occupancy.byUser;
  const kept = new Kept(occupancy, options.keptOfEntry.slice());
  const { ofEntry, ofGrid, largestOfGrid } = kept;
  const gridsOfUser = new Uint32Array(occupancy.users.length);
  for (const [entry, records] of ofEntry.entries()) if (records > 0) gridsOfUser[occupancy.userOfEntry(entry)]! += 1;
  const isLeft = (entry: number): boolean => {
    const user = occupancy.userOfEntry(entry);
    if (gridsOfUser[user]! >= options.mostGrids) return true;
    const g = grid[entry]!;
    const records = count[entry]!;
    const largest = Math.max(largestOfGrid[g]!, records);
    if (!limit.allows(occupancy.samplesOfGrid[g]!, ofGrid[g]! + records, largest)) return true;
    ofEntry[entry] = records;
    ofGrid[g]! += records;
    largestOfGrid[g] = largest;
    gridsOfUser[user]! += 1;
    return false;
  };
  let left = kept.droppedEntries().sort((one, other) => count[other]! - count[one]! || one - other);
  for (;;) {
    const still = left.filter(isLeft);
    if (still.length === left.length) return ofEntry;
    left = still;
  }
}
