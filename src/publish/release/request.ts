/** What a release is asked for, and what it needs of engine and ledger. */
import type { ByteSource } from "../../core/noise/index.ts";
import type { Occupancy } from "../../core/occupancy/index.ts";
import type { About } from "../../core/options/index.ts";
import type { LongWorkOptions, Plan, PlanEvaluation } from "../../core/planning/index.ts";
import type { Engine, Records, SomeTotalsRequest, TotalsReading } from "../../data/engines/index.ts";
import type { Ledger } from "../ledger/index.ts";

/** What a release needs of an engine and of a ledger. */
export interface ReleaseParties {
  /** Values are read in the grids that are charged: there is no asking for a plan's totals without naming grids. */
  readonly engine: {
    /** Of balanced plans, in place of totals. */
    readonly readSums?: Engine["readSums"];
    readTotals(
      records: Records,
      plan: Plan,
      request: SomeTotalsRequest,
      options?: LongWorkOptions,
    ): Promise<TotalsReading>;
  };
  readonly ledger: Pick<Ledger, "reserve" | "commit">;
  /** The operating system's bytes, or replayed ones. */
  readonly random: ByteSource;
}

export interface ReleaseRequest {
  readonly records: Records;
  /** Of these records, as the engine counted them. */
  readonly occupancy: Occupancy;
  readonly plan: Plan;
  /** What `checkPlan` gave for this plan and occupancy; the plan is checked here if absent. */
  readonly evaluation?: PlanEvaluation | undefined;
  readonly dataset: string;
  readonly key: string;
  /** Only these grids; all of the plan's if absent. */
  readonly grids?: readonly string[] | undefined;
  /** Charge every grid by itself, so that each can be given up by itself. */
  readonly separately?: boolean | undefined;
  /** Unit, title and description that the plan lacks. */
  readonly about?: About | undefined;
  /** `random` is replayed from a known seed. */
  readonly notPrivate: boolean;
  readonly tool: string;
  readonly reservedAt: Date;
}

export type EvaluatedRequest = ReleaseRequest & { readonly evaluation: PlanEvaluation };

/** What is left to compute and commit of a release that is charged. */
export type FinishRequest = EvaluatedRequest & {
  readonly parts: readonly string[];
  /** Of the parts before them. */
  readonly committed: ReadonlyMap<string, string>;
};
