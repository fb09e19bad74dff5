/** The smallest K of the paper's own problem: like CLIP-USER, but the best choice of drops, with a proof of how small K can be. */
import type { Rational } from "../arithmetic/index.ts";
import type { ErrorModel } from "../influence/index.ts";
import { Kept, type Occupancy } from "../occupancy/index.ts";
import { clipUser } from "./clip-user.ts";
import { type DropProblem, makeDropProblem } from "./drop-problem.ts";
import { dropProgram } from "./drop-program.ts";
import { type ImpossibleK, provesImpossible } from "./impossible-k.ts";
import type { LinearSolver } from "./linear-solver.ts";
import type { LongWork } from "./long-work.ts";
import { restoreDrops } from "./restore-drops.ts";

export interface ClipUserOptimalOptions {
  /** E; without it, the worst error before anything is dropped. */
  readonly errorBound?: Rational | undefined;
  /** Never drop anyone from the grid with the smallest initial error. */
  readonly protectLowest?: boolean | undefined;
  /** What the solver may take in all; 60 if absent. */
  readonly timeLimitSeconds?: number | undefined;
}

export interface ClipUserOptimalResult {
  readonly kept: Kept;
  /** Entries dropped, ascending. */
  readonly suppressed: Uint32Array;
  /** E, exact. */
  readonly errorBound: Rational;
  readonly protectedGrid: number | undefined;
  /** K. */
  readonly degradation: number;
  /** CLIP-USER's K, for comparison. */
  readonly clipUserDegradation: number;
  /** No plan has a smaller K … */
  readonly lowerBound: number;
  /** … because a certificate says so that anyone can check, or the solver in floating point, or nothing has to be said (K ≥ 1). */
  readonly lowerBoundBy: "certificate" | "solver" | "nature";
  /** The strongest there is: no plan has K ≤ k. Checked by `provesImpossible`. */
  readonly certificate: ImpossibleK | null;
  /** K is the lower bound. */
  readonly optimal: boolean;
  /** A limit on time cut the search short: another run may give another plan. */
  readonly timedOut: boolean;
}

const DEFAULT_TIME_LIMIT_SECONDS = 60;
/** Fewest dropped records is a wish, not the goal: what the solver leaves on the table there, relatively. */
const RECORDS_GAP = 0.1;
const PRICE_BITS = 40;

/** Never worse than CLIP-USER, from whose result it starts. The solver suggests; every plan and every certificate is checked exactly. */
export function* clipUserOptimal(
  occupancy: Occupancy,
  model: ErrorModel,
  solver: LinearSolver,
  options: ClipUserOptimalOptions = {},
): LongWork<ClipUserOptimalResult> {
  const { errorBound: given, protectLowest } = options;
  const clipped = yield* clipUser(occupancy, model, { errorBound: given, protectLowest });
  const { errorBound, protectedGrid } = clipped;
  const problem = yield* makeDropProblem(occupancy, model, { errorBound, protectedGrid });
  const search = new Search(problem, solver, {
    keptOfEntry: clipped.kept.ofEntry,
    timeLimitSeconds: options.timeLimitSeconds ?? DEFAULT_TIME_LIMIT_SECONDS,
  });
  const clipUserDegradation = search.k;
  yield* search.raiseLowerBound();
  yield* search.lowerK();

  const kept = new Kept(occupancy, search.keptOfEntry);
  const entries = Uint32Array.from({ length: occupancy.entries }, (_, entry) => entry);
  return {
    kept,
    suppressed: entries.filter((entry) => kept.ofEntry[entry] === 0),
    errorBound,
    protectedGrid,
    degradation: search.k,
    clipUserDegradation,
    lowerBound: search.lowerBound,
    lowerBoundBy: search.lowerBoundBy,
    certificate: search.certificate,
    optimal: search.lowerBound === search.k,
    timedOut: search.timedOut,
  };
}

/** The best plan so far and the best proof so far, which meet if time allows. */
class Search {
  k: number;
  keptOfEntry: Uint32Array;
  lowerBound = 1;
  lowerBoundBy: ClipUserOptimalResult["lowerBoundBy"] = "nature";
  certificate: ImpossibleK | null = null;
  timedOut = false;
  readonly #problem: DropProblem;
  readonly #solver: LinearSolver;
  #secondsLeft: number;
  #droppedRecords = Number.POSITIVE_INFINITY;

  constructor(
    problem: DropProblem,
    solver: LinearSolver,
    options: { keptOfEntry: Uint32Array; timeLimitSeconds: number },
  ) {
    this.#problem = problem;
    this.#solver = solver;
    this.#secondsLeft = options.timeLimitSeconds;
    this.keptOfEntry = options.keptOfEntry;
    this.k = new Kept(problem.occupancy, options.keptOfEntry).maxGridsPerUser();
    this.#accept(options.keptOfEntry);
  }

  /** Bisection for the largest k that prices prove impossible: what is impossible for k is so for less. */
  *raiseLowerBound(): LongWork<void> {
    let low = 1;
    let high = this.k - 1;
    while (low <= high) {
      const middle = Math.ceil((low + high) / 2);
      yield { step: `looking for a proof that K is above ${middle}`, done: middle, of: this.k };
      const certificate = this.#proveImpossible(middle);
      if (certificate === undefined) {
        high = middle - 1;
        continue;
      }
      this.certificate = certificate;
      this.lowerBound = middle + 1;
      this.lowerBoundBy = "certificate";
      low = middle + 1;
    }
  }

  /** Upwards from the lower bound: the first K that has a plan is the smallest. */
  *lowerK(): LongWork<void> {
    const before = this.k;
    for (let k = this.lowerBound; k < before && this.k === before; k++) {
      yield { step: `looking for a plan with K = ${k}`, done: k, of: before };
      const status = this.#findPlan(k, k < before - 1 ? this.#secondsLeft / 2 : this.#secondsLeft);
      if (status === "infeasible" && this.lowerBound === k) {
        this.lowerBound = k + 1;
        this.lowerBoundBy = "solver";
      }
    }
    if (this.k === before) {
      yield { step: `looking for fewer drops with K = ${before}`, done: before, of: before };
      this.#findPlan(before, this.#secondsLeft);
    }
  }

  #proveImpossible(k: number): ImpossibleK | undefined {
    if (this.#secondsLeft <= 0) {
      this.timedOut = true;
      return undefined;
    }
    const { program, budgetRow, budgetUnit } = dropProgram(this.#problem, k, "overload");
    const outcome = this.#solver.solve(program, { relaxed: true, timeLimitSeconds: this.#secondsLeft });
    this.#secondsLeft -= outcome.seconds;
    if (outcome.status === "stopped") this.timedOut = true;
    const duals = outcome.rowDuals;
    if (outcome.status !== "solved" || duals === undefined) return undefined;
    const prices = Array.from(budgetRow, (row, grid) => (row < 0 ? 0 : Math.max(0, -duals[row]! / budgetUnit[grid]!)));
    const proof = { k, prices: wholePrices(prices) };
    const { occupancy, limit, protectedGrid } = this.#problem;
    const claim = { errorBound: limit.bound, protectedGrid: protectedGrid < 0 ? undefined : protectedGrid, proof };
    return provesImpossible(occupancy, limit.model, claim) ? proof : undefined;
  }

  #findPlan(k: number, timeLimitSeconds: number): "found" | "infeasible" | "unknown" {
    if (timeLimitSeconds <= 0) {
      this.timedOut = true;
      return "unknown";
    }
    const { program, entryOfColumn } = dropProgram(this.#problem, k, "fewest records");
    const outcome = this.#solver.solve(program, { timeLimitSeconds, gap: RECORDS_GAP });
    this.#secondsLeft -= outcome.seconds;
    if (outcome.status === "stopped") this.timedOut = true;
    if (outcome.status === "infeasible") return "infeasible";
    if (outcome.values === undefined) return "unknown";
    const keptOfEntry = this.#problem.occupancy.byUser.count.slice();
    outcome.values.forEach((value, column) => {
      if (entryOfColumn[column]! >= 0 && value > 0.5) keptOfEntry[entryOfColumn[column]!] = 0;
    });
    return this.#accept(keptOfEntry) ? "found" : "unknown";
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
function wholePrices(prices: readonly number[]): bigint[] {
  const largest = Math.max(...prices, Number.MIN_VALUE);
  return prices.map((price) => BigInt(Math.round((price / largest) * 2 ** PRICE_BITS)));
}
