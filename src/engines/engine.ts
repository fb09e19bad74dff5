/** What an engine does: look at a source, count its records per user and grid, and add up exact integers of what a plan keeps. */
/// <reference lib="esnext.disposable" preserve="true" />
import type { Occupancy } from "../occupancy/index.ts";
import type { Recipe } from "../partition/index.ts";
import type { LongWorkOptions, Plan } from "../planning/index.ts";
import type { DialectWishes, SourceDescription } from "../sources/index.ts";

/** A source and the way from its records to grids. */
export interface Records {
  readonly source: SourceDescription;
  readonly recipe: Recipe;
}

/** What happened to records on the way, for the curator. */
export interface ReadingNotes {
  /** Records that passed the filters, before repeated ones were taken out. */
  readonly records: number;
  /** Taken out by --dedupe. */
  readonly repeated: number;
  /** Without a value: set to the midpoint or left out, as --missing says. */
  readonly missing: number;
  /** Whose user is null or empty: of one user, or left out, as --empty-user says. Of those left out, repeated ones are among them. */
  readonly withoutUser: number;
  /** In grids with a part that is missing or empty. */
  readonly withoutGrid: number;
  /** Left out by --min-users and --top. */
  readonly inOtherGrids: number;
}

export interface OccupancyReading {
  readonly occupancy: Occupancy;
  readonly notes: ReadingNotes;
  /** How records were read where that is not plain, as sentences for the curator. */
  readonly told?: readonly string[] | undefined;
}

/** Exact totals of one grid's kept records. Values are lattice integers i ∈ {0 … N}. */
export interface GridTotals {
  readonly grid: string;
  /** k_g. */
  readonly kept: number;
  /** Σ i. */
  readonly sum: bigint;
  /** Σ i². */
  readonly sumOfSquares: bigint;
  /** For each threshold of the request, how many i are at least it. */
  readonly atLeast: readonly bigint[];
  /** Σ over users of clamp(2·s, N·(m − Γ), N·(m + Γ)), s the user's Σ i over all its m records; null if not asked for. */
  readonly doubledClampedSum: bigint | null;
}

/** What a release needs to know about the values. */
export interface TotalsRequest {
  /** Lattice integers to count from. */
  readonly thresholds?: readonly bigint[] | undefined;
  /** Ask for `doubledClampedSum`, which centred means are made of. */
  readonly clampedSums?: boolean | undefined;
}

export interface TotalsReading {
  /** In the order of the plan's grids. */
  readonly totals: readonly GridTotals[];
  /** Records of these grids whose value lay outside the bounds and was clamped. For the curator only. */
  readonly clampedValues: number;
}

export interface DescribeOptions extends LongWorkOptions {
  /** Columns of a table of which some values are wanted: none that may be protected, where that is known. All of them if absent, for a first look. */
  readonly sampled?: readonly string[] | undefined;
}

export interface Engine extends AsyncDisposable {
  readonly name: string;
  /** Files or a table, columns and a few rows. */
  describe(source: string, wishes: DialectWishes, options?: DescribeOptions): Promise<SourceDescription>;
  /** Records per user and grid. Values never leave the engine here. */
  readOccupancy(records: Records, options?: LongWorkOptions): Promise<OccupancyReading>;
  /** Rejects where totals could not be read, as far as that can be told beforehand: asked before anything is charged. Engines that can always try have none. */
  checkTotals?(records: Records, plan: Plan): Promise<void>;
  /** Exact integer totals of the kept records; rejects with PLAN_MISMATCH if the occupancy is not the plan's. */
  readTotals(records: Records, plan: Plan, request?: TotalsRequest, options?: LongWorkOptions): Promise<TotalsReading>;
}
