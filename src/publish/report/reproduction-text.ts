/** A reproduction as it is told in a terminal: what each figure shows, what was found, where the files are. */
import { escapeControls } from "../../core/errors/index.ts";
import { findingSentences, type Reproduction } from "./reproduction.ts";

export function reproductionText({ figures, findings }: Reproduction, folder: string): string {
  const sets = [
    ["paper", "The paper's figures, made by this program"],
    ["beyond", "What the paper does not draw"],
  ] as const;
  return [
    ...sets.flatMap(([set, heading]) => {
      const own = figures.filter((figure) => figure.set === set);
      return own.length === 0
        ? []
        : [heading, ...own.flatMap(({ id, seen }) => [`  ${id}`, `    ${escapeControls(seen)}`]), ""];
    }),
    "Findings",
    ...findings.flatMap((found) => [
      `  ${escapeControls(found.name)}`,
      ...findingSentences(found).map((sentence) => `    ${sentence}`),
    ]),
    "",
    `${escapeControls(folder)}: ${figures.length} figures as SVG, PNG and CSV, findings.csv, and index.html with all of it; open that one.`,
    "",
  ].join("\n");
}
