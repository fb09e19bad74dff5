/** Describes a run of the paper's experiments: its figures, what was found, as sentences, text for a terminal and CSV. */
import { escapeControls } from "../../core/errors/index.ts";
import type { LineChart } from "../charts/index.ts";
import { lines } from "./text-table.ts";

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

/** What the experiments found out about one subject, beside the paper's own figures. */
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

export interface Reproduction {
  /** The program and its version. */
  readonly tool: string;
  /** A command that makes the same. */
  readonly command: string;
  readonly figures: readonly Figure[];
  /** False while the second set is still to come. */
  readonly complete: boolean;
  readonly findings: readonly Findings[];
}

/** What was found, in sentences made from the numbers. A point is one draw at one ε. */
export function findingSentences(found: Findings): string[] {
  const { draws, gridsBefore } = found;
  const draw = draws === 1 ? "" : draws === 2 ? " in both draws" : ` in all ${draws} draws`;
  return [
    (found.printedLowersNothingFrom === null
      ? "With the theorem on the variance's bias as printed, CLIP-USER would still lower K over all of the range"
      : `With the theorem on the variance's bias as printed, CLIP-USER would leave K as it was from ε = ${found.printedLowersNothingFrom} on${draw}`) +
      (found.printedTooFar === 0 ? "." : `; it would lower it too far in ${share(found.printedTooFar, found.points)}.`),
    `The worst grid's E, mean and variance added up, is no better than that of publishing midpoints ${found.useful === 0 ? "at any ε of the paper's range" : `below ε = ${Number(found.worthlessBelow.toPrecision(3))} in the mean`}: ` +
      `it is better in ${share(found.useful, found.points)}, Ē in ${share(found.usefulWithCaps, found.points)}.`,
    `The baseline's joint loss is ${Number(found.jointOfEpsilon.toPrecision(3))} ε; the paper's rule counts ${gridsBefore} ε. ` +
      `CLIP-USER's is larger than the baseline's in ${share(found.raised, found.points)}, with caps in ${share(found.raisedWithCaps, found.points)}.`,
  ];
}

function share(part: number, of: number): string {
  return `${part === 0 ? "none" : part} of ${of} points`;
}

/** A reproduction for a terminal: what each figure shows, what was found, where the files are. */
export function reproductionText({ figures, findings }: Reproduction, folder: string): string {
  const setText = (set: Figure["set"], heading: string): string[] => {
    const own = figures.filter((figure) => figure.set === set);
    const seen = own.flatMap((figure) => [`  ${figure.id}`, `    ${escapeControls(figure.seen)}`]);
    return own.length === 0 ? [] : [heading, ...seen, ""];
  };
  return lines(
    setText("paper", "The paper's figures, made by this program"),
    setText("beyond", "What the paper does not draw"),
    "Findings",
    findings.flatMap((found) => [
      `  ${escapeControls(found.name)}`,
      ...findingSentences(found).map((sentence) => `    ${sentence}`),
    ]),
    "",
    `${escapeControls(folder)}: ${figures.length} figures as SVG, PNG and CSV, findings.csv, and index.html with all of it; open that one.`,
    "",
  ).join("\n");
}

/** The numbers behind a figure as CSV: eight significant digits, empty where there is none. */
export function columnsCsv(columns: readonly FigureColumn[]): string {
  const cell = (value: number | null | undefined): string =>
    value == null ? "" : String(Number(value.toPrecision(8)));
  const rows = columns[0]?.values.map((_, row) => columns.map(({ values }) => cell(values[row])).join(",")) ?? [];
  return `${[columns.map(({ name }) => name).join(","), ...rows].join("\n")}\n`;
}
