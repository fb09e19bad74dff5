/** Renders what lies beside every released file: the privacy statement and the data dictionary. */
import { escapeControls } from "../../core/errors/index.ts";
import type { ReleaseResult } from "../release/index.ts";
import { privacyFacts, warningOf } from "./privacy-facts.ts";
import { releaseColumns } from "./release-columns.ts";
import { type RowOptions, releaseTitle } from "./release-context.ts";
import { exactReleaseCsv, releaseCsv } from "./release-tables.ts";

export function privacyStatement(result: ReleaseResult): string {
  const facts = privacyFacts(result);
  const list = (sentences: readonly string[]): string =>
    sentences.map((sentence) => `- ${escapeMarkdown(sentence)}`).join("\n");
  return page(result, "Privacy statement", [
    `Privacy loss λ = ${facts.loss.roundedUp} (rounded up; exactly ${facts.loss.exact}).`,
    escapeMarkdown(facts.loss.inWords),
    escapeMarkdown(facts.loss.simpleInWords),
    "## What is protected",
    list(facts.protected),
    "## What is not protected",
    list(facts.notProtected),
    "## The promise, exactly",
    escapeMarkdown(facts.neighbours),
    "## How it was made",
    list(facts.method),
    "## This release",
    markdownTable(["", ""], Object.entries(facts.identity)),
  ]);
}

export function privacyStatementJson(result: ReleaseResult): string {
  return `${JSON.stringify(privacyFacts(result), null, 2)}\n`;
}

/** JSON and Parquet have every text as it is. */
const FORMULAS =
  " In the CSV a text that a spreadsheet would take for a formula (it begins with =, +, - or @) has a ' before it.";

/** Each column of the table, what it means, its unit and its range. */
export function dataDictionary(result: ReleaseResult, options: RowOptions = {}): string {
  const hasFormulas = releaseCsv(result) !== exactReleaseCsv(result);
  return page(result, "Data dictionary", [
    dictionaryNote(result) + (hasFormulas ? FORMULAS : ""),
    markdownTable(
      ["column", "type", "meaning", "unit", "range"],
      releaseColumns(result, options).map(({ name, type, meaning, unit, range }) => [name, type, meaning, unit, range]),
    ),
  ]);
}

export function dictionaryNote({ estimator }: Pick<ReleaseResult, "estimator">): string {
  const note = NOTES[estimator as keyof typeof NOTES] ?? NOTES.kept;
  return `One row per grid. Ids are text, also where they look like numbers. ${note} Intervals hold for each number by itself, for the records of the data, not for a larger population.`;
}

const NOTES = {
  kept: "Statistics are empty where no record was kept.",
  centred: "Where no record was kept, statistics are the middle of what is possible and say nothing about the data.",
  weighted:
    "Columns that end in _low, _high, _bias and _error hold whatever the values are; typical errors, intervals under the model and smoothed numbers rest on the model that the privacy statement names, and are no guarantee.",
};

function page(result: ReleaseResult, title: string, parts: readonly string[]): string {
  const warning = warningOf(result);
  const heading = `# ${title}: ${escapeMarkdown(releaseTitle(result))}`;
  const about = result.about?.description === undefined ? [] : [escapeMarkdown(result.about.description)];
  return `${[...(warning === undefined ? [] : [`**${warning}**`]), heading, ...about, ...parts].join("\n\n")}\n`;
}

function markdownTable(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdown).join(" | ")} |`;
  return [line(head), `|${" --- |".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** Text from anywhere made safe inside Markdown, also within a table. */
function escapeMarkdown(text: string): string {
  return escapeControls(text).replace(/[\\`*_{}[\]<>#|~&!]/g, (character) =>
    character === "<" ? "&lt;" : character === ">" ? "&gt;" : character === "&" ? "&amp;" : `\\${character}`,
  );
}
