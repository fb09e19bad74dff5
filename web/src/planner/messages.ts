/** Defines the messages between page and workers: plain data, with numbers as decimal text where they must not be rounded. */
import type { EstimatorName, Metric } from "../../../src/core/influence/index.ts";
import type { PlanSummary } from "../../../src/core/planning/index.ts";

/** What is measured, and how: a curve belongs to one of these. */
export interface PlanSettings {
  readonly bounds: string;
  readonly statistics: string;
  readonly estimator: EstimatorName;
  readonly metric: Metric;
}

export type Strategy = "frontier" | "clip-user" | "baseline";

export interface Goal {
  readonly kind: "loss" | "error";
  /** Decimal text. */
  readonly value: string;
}

export interface PlanAsked {
  readonly settings: PlanSettings;
  readonly strategy: Strategy;
  readonly goal: Goal;
}

/** A summary without the lists of users, which pages do not show. */
export interface PlanView extends Omit<PlanSummary, "suppressed" | "trimmed"> {
  /** User–grid pairs that are dropped, and those of which some records are. */
  readonly suppressedPairs: number;
  readonly trimmedPairs: number;
  /** Users who lose anything, by share of the largest loss: ten bins. */
  readonly lossBins: readonly number[];
}

export interface CurvePoint {
  readonly loss: number;
  readonly error: number;
}

/** The frontier at one error, and what no plan can go below. */
export interface FrontierCurvePoint extends CurvePoint {
  readonly lowerBound: number | null;
  readonly refined: boolean;
}

export interface Curve {
  readonly dataFreeError: number;
  /** Of the baseline at ε = 1: losses go with ε, errors with 1/ε. */
  readonly baseline: { readonly joint: number; readonly simple: number; readonly error: number };
  readonly clipUser: ReadonlyArray<CurvePoint & { readonly simple: number; readonly epsilon: number }>;
  /** Ascending error. */
  readonly frontier: readonly FrontierCurvePoint[];
}

export type Work =
  | { readonly kind: "sketch"; readonly asked: PlanAsked; readonly near: number | undefined }
  | { readonly kind: "refine"; readonly asked: PlanAsked }
  | { readonly kind: "curve"; readonly settings: PlanSettings };

export type ToWorker =
  | { readonly kind: "occupancy"; readonly csv: Uint8Array }
  | { readonly kind: "work"; readonly id: number; readonly work: Work };

export type FromWorker =
  | { readonly kind: "progress"; readonly id: number; readonly step: string }
  | { readonly kind: "curve"; readonly id: number; readonly curve: Curve; readonly done: boolean }
  | { readonly kind: "plan"; readonly id: number; readonly plan: PlanView; readonly milliseconds: number }
  | { readonly kind: "failed"; readonly id: number; readonly message: string };
