/** The smallest K of the paper's own problem: like CLIP-USER, but the best choice of drops, with a proof of how small K can be. */
import type { Rational } from "../arithmetic/index.ts";
import type { ErrorModel } from "../influence/index.ts";
import { Kept, type Occupancy } from "../occupancy/index.ts";
import { type ClipUserOptions, clipUser } from "./clip-user/clip-user.ts";
import { makeDropProblem } from "./drop-problem.ts";
import type { ImpossibleK } from "./impossible-k.ts";
import type { LinearSolver } from "./linear-solver.ts";
import type { LongWork } from "./long-work.ts";
import { type LowerBoundBy, SmallestKSearch } from "./smallest-k-search.ts";

export interface ClipUserOptimalOptions extends Pick<ClipUserOptions, "errorBound" | "protectLowest"> {
  /** What the solver may take in all; 60 if absent. The rest is quick and does not look at a clock. */
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
  readonly lowerBoundBy: LowerBoundBy;
  /** The strongest there is: no plan has K ≤ k. Checked by `provesImpossible`. */
  readonly certificate: ImpossibleK | null;
  /** K is the lower bound. */
  readonly optimal: boolean;
  /** A limit on time cut the search short: another run may give another plan. */
  readonly timedOut: boolean;
}

const DEFAULT_TIME_LIMIT_SECONDS = 60;

/**
 * Never worse than CLIP-USER, from whose result it starts. Prices mostly decide by themselves; the solver has the last word where they do not, and
 * finds fewer drops for the same K. Both only suggest: every plan and every certificate is checked exactly. Without a solver a gap may remain.
 */
export function* clipUserOptimal(
  occupancy: Occupancy,
  model: ErrorModel,
  solver: LinearSolver | undefined,
  options: ClipUserOptimalOptions = {},
): LongWork<ClipUserOptimalResult> {
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
