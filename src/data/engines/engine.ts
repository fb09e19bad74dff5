/** The engine interface: describe a source, count its records per user and grid, add up exact integers of what a plan keeps. */
/// <reference lib="esnext.disposable" preserve="true" />
import type { Occupancy } from "../../core/occupancy/index.ts";
import type { LongWorkOptions, Plan } from "../../core/planning/index.ts";
import type { Recipe } from "../partition/index.ts";
import type { DialectOptions, SourceDescription } from "../sources/index.ts";

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
  readonly messages?: readonly string[] | undefined;
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

/** Some grids of a plan, and what is known of their records. */
export interface SomeGrids {
  /** At least one, in any order. */
  readonly grids: readonly string[];
  /** Of all the plan's grids, as `checkPlan` passed it. The records of the grids above must still be these. */
  readonly occupancy: Occupancy;
}

/** What a release needs to know about the values. */
export interface TotalsRequest {
  /** Values are read in these grids alone: a query leaves out all other records before it adds anything up. All of the plan's if absent. */
  readonly only?: SomeGrids | undefined;
  /** Lattice integers to count from. */
  readonly thresholds?: readonly bigint[] | undefined;
  /** Ask for `doubledClampedSum`, which centred means are made of. */
  readonly clampedSums?: boolean | undefined;
}

export type SomeTotalsRequest = TotalsRequest & { readonly only: SomeGrids };

export interface TotalsReading {
  /** Of the grids that were asked for and no others, in the plan's order. */
  readonly totals: readonly GridTotals[];
  /** Records of the same grids, kept or not, whose value lay outside the bounds and was clamped. For the curator only. */
  readonly clampedValues: number;
}

/** What a plan says of the records that it is for. */
export type PlanOfRecords = Pick<Plan, "partition" | "grids" | "occupancy" | "latticeStep"> & {
  readonly objective: Pick<Plan["objective"], "bounds">;
};

/** What a release from users' sums needs to know about the values. */
export interface SumsRequest {
  /** Values are read in these grids alone, as for totals. */
  readonly only: SomeGrids;
  /** Lattice integers to count from. */
  readonly thresholds?: readonly bigint[] | undefined;
  /** Ask for `sumOfSquares`. */
  readonly squares?: boolean | undefined;
}

/** Exact sums of each entry's lattice integers i. Entries are those of `request.only.occupancy`; all sums of an entry in another grid are 0. */
export interface EntrySums {
  /** Σ i. */
  sum(entry: number): bigint;
  /** Σ i²; only if it was asked for. */
  sumOfSquares(entry: number): bigint;
  /** How many i are at least `request.thresholds[threshold]`. */
  atLeast(threshold: number, entry: number): number;
}

export interface SumsReading {
  readonly sums: EntrySums;
  /** As in `TotalsReading`. */
  readonly clampedValues: number;
}

export interface DescribeOptions extends LongWorkOptions {
  /** Columns of a table of which some values are wanted: none that may be protected, where that is known. All of them if absent, for a first look. */
  readonly sampled?: readonly string[] | undefined;
}

export interface Engine extends AsyncDisposable {
  readonly name: string;
  /** Files or a table, columns and a few rows. */
  describe(source: string, dialect: DialectOptions, options?: DescribeOptions): Promise<SourceDescription>;
  /** Records per user and grid. Values never leave the engine here. */
  readOccupancy(records: Records, options?: LongWorkOptions): Promise<OccupancyReading>;
  /** Rejects where totals could not be read, as far as that can be told beforehand: asked before anything is charged. Engines that can always try have none. */
  checkTotals?(records: Records, plan: Plan): Promise<void>;
  /**
   * Exact integer totals of the kept records. Rejects with PLAN_MISMATCH if users' records in the grids that are read are not as many
   * as the plan was made for. Where only some grids are asked for, records of others are not counted again: a change among them is
   * seen by `readOccupancy`, and moves neither these totals nor what they cost.
   */
  readTotals(records: Records, plan: Plan, request?: TotalsRequest, options?: LongWorkOptions): Promise<TotalsReading>;
  /** Exact sums of all records, by user and grid, which balanced plans are released from. Rejects as `readTotals` does. */
  readSums(
    records: Records,
    plan: PlanOfRecords,
    request: SumsRequest,
    options?: LongWorkOptions,
  ): Promise<SumsReading>;
}
