/** Renders the first look at a file of records as a curator reads it in a terminal. */
import { escapeControls } from "../../core/errors/index.ts";
import { columnTable, lines } from "./text-table.ts";

export interface FirstLookFacts {
  readonly source: string;
  readonly told: readonly string[];
  readonly columns: ReadonlyArray<{
    readonly name: string;
    readonly type: string;
    readonly samples: readonly string[] | null;
    readonly role: string | null;
  }>;
  readonly guess: Readonly<Record<string, string>>;
  readonly open: ReadonlyArray<{ readonly says: string }>;
  readonly doubts: readonly string[];
  readonly command: string;
}

const SAMPLE_WIDTH = 48;

export function firstLookText({ guess, ...look }: FirstLookFacts): string {
  const command = escapeControls(look.command);
  const explanations = lines(
    look.doubts,
    guess["empty-user"] !== undefined &&
      "Some records have no user; --empty-user drop leaves them out (--empty-user one would count them all as one user).",
    guess["dedupe"] !== undefined &&
      `Rows stand several times; --dedupe counts those once that agree in user, grid and ${guess["dedupe"].split(",").join(" and ")}. If these are records of their own, leave it out.`,
    guess["missing"] !== undefined &&
      "Some values are empty; --missing midpoint counts them as the middle of the range (drop would make public that they are empty).",
    guess["top"] !== undefined &&
      `Few large groups come first: --top ${guess["top"]} keeps those with most records. More groups, or smaller ones, get more noise each.`,
  );
  return lines(
    `${escapeControls(look.source)}: ${look.told.join("; ")}`,
    "",
    columnTable(look.columns, [
      ["column", "left", ({ name }) => name],
      ["type", "left", ({ type }) => type],
      ["guess", "left", ({ role }) => role ?? ""],
      [
        "for example",
        "left",
        ({ samples }) => (samples === null ? "(not shown: may be the value)" : cut(samples.join("  "))),
      ],
    ]),
    "",
    look.open.map(({ says }) => says),
    look.open.length > 0
      ? ["", "With COL filled in, start from:"]
      : "Guesses from names and the first rows; change what is wrong. Start from:",
    "",
    `  ${command}`,
    "",
    explanations,
    explanations.length > 0 && "",
    "Then plan with the same flags, or put them into a file with --write-config FILE and use --config FILE:",
    "",
    `  npx veilgrid plan ${command.slice("npx veilgrid survey ".length)} --bounds A,B --loss 1`,
    "",
    `A,B is the range that ${guess["value"] === undefined ? "values" : escapeControls(guess["value"])} can have, from what is known publicly (a speed limit, a sensor's range), never from the data.`,
    "",
  ).join("\n");
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= SAMPLE_WIDTH ? text : `${characters.slice(0, SAMPLE_WIDTH - 1).join("")}…`;
}
