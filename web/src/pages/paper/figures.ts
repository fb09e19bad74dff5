/** Fetches the sixteen figures as data when a reader opens them. */
import figuresUrl from "../../../../docs/figures/figures.json?url";
import type { LineChart } from "../../../../src/publish/charts/index.ts";

export interface PaperFigure {
  /** Also its address: `paper-loss-gamma-3`. */
  readonly id: string;
  readonly set: "paper" | "beyond";
  readonly kind: "loss" | "error";
  readonly subject: string;
  readonly chart: LineChart;
  /** What the paper says about it, in our words. */
  readonly claim: string;
  readonly seen: string;
}

export interface PaperFigures {
  /** What makes the same. */
  readonly command: string;
  readonly figures: readonly PaperFigure[];
  readonly findings: ReadonlyArray<{
    readonly subject: string;
    readonly name: string;
    readonly sentences: readonly string[];
  }>;
}

let fetched: Promise<PaperFigures> | undefined;

export async function fetchFigures(): Promise<PaperFigures> {
  fetched ??= fetch(figuresUrl).then(async (answer) => {
    if (!answer.ok) throw new Error(`the figures could not be fetched (${answer.status})`);
    return (await answer.json()) as PaperFigures;
  });
  try {
    return await fetched;
  } catch (error) {
    fetched = undefined;
    throw error;
  }
}
