/** The first look at a file of records, as a curator reads it in a terminal. */
import { escapeControls } from "../../core/errors/index.ts";
import { textTable } from "./text-table.ts";

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

export function firstLookText(look: FirstLookFacts): string {
  const { guess } = look;
  return [
    `${escapeControls(look.source)}: ${look.told.join("; ")}`,
    "",
    textTable(
      [
        ["column", "type", "guess", "for example"],
        ...look.columns.map((column) => [
          column.name,
          column.type,
          column.role ?? "",
          column.samples === null ? "(not shown: may be the value)" : cut(column.samples.join("  ")),
        ]),
      ],
      ["left", "left", "left", "left"],
    ),
    "",
    ...look.open.map(({ says }) => says),
    ...(look.open.length > 0
      ? ["", "With COL filled in, start from:"]
      : ["Guesses from names and the first rows; change what is wrong. Start from:"]),
    "",
    `  ${escapeControls(look.command)}`,
    "",
    ...explanations(look),
    "Then plan with the same flags, or put them into a file with --write-config FILE and use --config FILE:",
    "",
    `  npx veilgrid plan ${escapeControls(look.command).slice("npx veilgrid survey ".length)} --bounds A,B --loss 1`,
    "",
    `A,B is the range that ${guess["value"] === undefined ? "values" : escapeControls(guess["value"])} can have, from what is known publicly (a speed limit, a sensor's range), never from the data.`,
    "",
  ].join("\n");
}

function explanations({ guess, doubts }: FirstLookFacts): string[] {
  const lines = [...doubts];
  if (guess["empty-user"] !== undefined)
    lines.push(
      "Some records have no user; --empty-user drop leaves them out (--empty-user one would count them all as one user).",
    );
  if (guess["dedupe"] !== undefined)
    lines.push(
      `Rows stand several times; --dedupe counts those once that agree in user, grid and ${guess["dedupe"].split(",").join(" and ")}. If these are records of their own, leave it out.`,
    );
  if (guess["missing"] !== undefined)
    lines.push(
      "Some values are empty; --missing midpoint counts them as the middle of the range (drop would make public that they are empty).",
    );
  if (guess["top"] !== undefined)
    lines.push(
      `Few large groups come first: --top ${guess["top"]} keeps those with most records. More groups, or smaller ones, get more noise each.`,
    );
  return lines.length === 0 ? [] : [...lines, ""];
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= SAMPLE_WIDTH ? text : `${characters.slice(0, SAMPLE_WIDTH - 1).join("")}…`;
}
