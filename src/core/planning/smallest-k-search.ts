/** The search for the smallest K: the best plan so far and the best proof so far, until they meet or time is up. */
import { Kept } from "../occupancy/index.ts";
import type { DropProblem } from "./drop-problem.ts";
import { dropProgram } from "./drop-program.ts";
import { type ImpossibleK, provesImpossible } from "./impossible-k.ts";
import type { LinearOutcome, LinearProgram, LinearSolver, SolveOptions } from "./linear-solver.ts";
import type { LongWork } from "./long-work.ts";
import { PriceSearch } from "./price-search.ts";
import { restoreDrops } from "./restore-drops.ts";

/** What a lower bound rests on: prices that were checked exactly, the solver's word in floating point, or nothing but K ≥ 1. */
export type LowerBoundBy = "certificate" | "solver" | "nature";

/** Fewest dropped records is a wish, not the goal: what the solver leaves on the table there, relatively. */
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

export class SmallestKSearch {
  k: number;
  keptOfEntry: Uint32Array;
  lowerBound = 1;
  lowerBoundBy: LowerBoundBy = "nature";
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

  #provenBy(k: number, prices: ArrayLike<number>): boolean {
    const { occupancy, limit, protectedGrid } = this.#problem;
    const proof = { k, prices: wholePrices(prices) };
    const claim = { errorBound: limit.bound, protectedGrid: protectedGrid < 0 ? undefined : protectedGrid, proof };
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
    const priceOf = (row: number, grid: number): number => Math.max(0, -rowDuals[row]! / budgetUnit[grid]!);
    return this.#provenBy(
      k,
      Array.from(budgetRow, (row, grid) => (row < 0 ? 0 : priceOf(row, grid))),
    );
  }

  #planBySolver(k: number, timeLimitSeconds: number): "plan" | "infeasible" | "unknown" {
    if (!this.#isSolvable(k)) return "unknown";
    const { program, entryOfColumn } = dropProgram(this.#problem, k, "fewest records");
    const outcome = this.#solve(program, { timeLimitSeconds, gap: RECORDS_GAP });
    if (outcome.status === "infeasible") return "infeasible";
    if (outcome.values === undefined) return "unknown";
    const keptOfEntry = this.#problem.occupancy.byUser.count.slice();
    outcome.values.forEach((value, column) => {
      if (entryOfColumn[column]! >= 0 && value > 0.5) keptOfEntry[entryOfColumn[column]!] = 0;
    });
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
    const droppedRecords = occupancy.samples - restored.ofGrid.reduce((sum, kept) => sum + kept, 0);
    if (k > this.k || (k === this.k && droppedRecords >= this.#droppedRecords)) return false;
    this.k = k;
    this.keptOfEntry = restored.ofEntry;
    this.#droppedRecords = droppedRecords;
    return true;
  }
}

/** In the same proportion, as whole numbers of at most PRICE_BITS bits. */
function wholePrices(prices: ArrayLike<number>): bigint[] {
  let largest = Number.MIN_VALUE;
  for (let grid = 0; grid < prices.length; grid++) largest = Math.max(largest, prices[grid]!);
  return Array.from(prices, (price) => BigInt(Math.round((price / largest) * 2 ** PRICE_BITS)));
}
