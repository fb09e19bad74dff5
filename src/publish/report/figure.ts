/** A figure of the reproduction: the chart to draw, its numbers, and what is to be said beside it. */
import type { LineChart } from "../charts/index.ts";

/** The city's hour, or the synthetic model with this γ. */
export type SubjectName = "city" | `gamma-${number}`;

export interface FigureColumn {
  /** As in the CSV's header: `loss_after_mean`. */
  readonly name: string;
  /** One per row; null where there is no number. */
  readonly values: ReadonlyArray<number | null>;
}

export interface Figure {
  /** Also its files' name: `paper-loss-gamma-3`. */
  readonly id: string;
  /** The paper's own, or what it does not draw. */
  readonly set: "paper" | "beyond";
  readonly kind: "loss" | "error";
  readonly subject: SubjectName;
  readonly chart: LineChart;
  /** The first column is ε. */
  readonly columns: readonly FigureColumn[];
  /** What the paper says about it, in our words; what it would say of a figure it does not have is what it leaves open. */
  readonly claim: string;
  /** What these numbers show, in sentences made from them. */
  readonly seen: string;
}
