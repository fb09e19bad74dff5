/** What the experiments found out about one subject, beside the paper's own figures. */
import type { FigureColumn, SubjectName } from "./figure.ts";

export interface Findings {
  readonly subject: SubjectName;
  readonly name: string;
  readonly draws: number;
  readonly gridsBefore: number;
  /** From this ε of the paper's range on, K as printed is not lowered in any draw; null if it is lowered at the last one. */
  readonly printedLowersNothingFrom: number | null;
  /** At how many of the draws and ε it would lower K further than the theorem as it should be allows. */
  readonly printedTooFar: number;
  /** E is no better than midpoints below this ε, on average over the draws. */
  readonly worthlessBelow: number;
  /** At how many of the draws and ε of the paper's range E is below the data-free error; and Ē. */
  readonly useful: number;
  readonly usefulWithCaps: number;
  /** Joint loss of the baseline, as a multiple of ε: it is the same at all of them. Mean over the draws. */
  readonly jointOfEpsilon: number;
  /** At how many of the draws and ε CLIP-USER's joint loss lies above the baseline's; and with caps. */
  readonly points: number;
  readonly raised: number;
  readonly raisedWithCaps: number;
  /** By ε, means over the draws. */
  readonly columns: readonly FigureColumn[];
}
