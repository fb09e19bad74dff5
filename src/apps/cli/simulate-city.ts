/** `veilgrid simulate city`: a believable day of bus records. */
import { escapeControls, quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import type { CityFlags } from "../operations/index.ts";
import { type Command, flagOption, jsonText, numberOption, type OptionValues, textOption } from "./command.ts";

export const simulateCityCommand: Command = {
  name: "simulate city",
  summary: "a believable day of bus records: routes, stops, rush hours, sensor noise and gaps; an invented city",
  options: [
    { flags: "--seed <n>", description: "the same seed gives the same bytes (default: 1)" },
    {
      flags: "--records <n>",
      description:
        "about so many records, by more vehicles, days and faster reporting (default: one day, about 390,000)",
    },
    { flags: "--vehicles <n>", description: "how many buses (default: 291)" },
    { flags: "--days <n>", description: "how many days (default: 1)" },
    { flags: "--date <day>", description: "the first day (default: 2026-03-10)" },
    { flags: "--utc-offset <offset>", description: "of the local clock (default: +05:30)" },
    { flags: "--hours <a-b>", description: "only these local hours" },
    {
      flags: "--preset <name>",
      description: "paper: at 9-10, in the 50 busiest hexagons, about 223 users in at most about 11 grids each",
    },
    {
      flags: "--schema <name>",
      description: "plain, or wild: as city feeds are, rows repeated, values missing, points as text (default: plain)",
    },
    { flags: "--format <name>", description: "csv, jsonl, json or parquet (default: by the file's name)" },
    { flags: "--out <file>", description: "write here instead of standard output (.gz compresses text)" },
    { flags: "--force", description: "with --out: replace the file if there is one" },
    { flags: "--json", description: "with --out: print a summary as JSON" },
  ],
  examples: [
    "veilgrid simulate city --out city.csv",
    "veilgrid simulate city --preset paper --out paper.parquet",
    "veilgrid simulate city --schema wild --records 100000 --out feed.json",
  ],
  async run(_, options, context) {
    const out = textOption(options, "out");
    if (flagOption(options, "json") && out === undefined)
      throw new VeilgridError("USAGE", "--json needs --out: the records themselves go to standard output otherwise");
    const { simulateCity } = await import("../operations/index.ts");
    const request = requestOf(options);
    const result = await simulateCity(request, {
      out,
      force: flagOption(options, "force"),
      write: context.out,
      onProgress: context.progress,
      signal: context.signal,
    });
    if (out === undefined) return;
    if (flagOption(options, "json")) context.out(jsonText({ ...result, out, seed: request.seed }));
    else
      context.out(
        `${escapeControls(out)}: ${(result.bytes / 1e6).toFixed(1)} MB of simulated records; look at it with 'npx veilgrid survey ${escapeControls(out)}'\n`,
      );
  },
};

function requestOf(options: OptionValues): CityFlags {
  const text = (name: string): string | undefined => textOption(options, name);
  const number = (name: string, flag: string): number | undefined => {
    const given = text(name);
    return given === undefined ? undefined : numberOption(given, flag);
  };
  return {
    seed: number("seed", "--seed") ?? 1,
    records: number("records", "--records"),
    vehicles: number("vehicles", "--vehicles"),
    days: number("days", "--days"),
    date: text("date"),
    utcOffsetMinutes: offsetMinutes(text("utcOffset")),
    hours: hoursOf(text("hours")),
    preset: oneOf("--preset", text("preset"), ["paper"]),
    schema: oneOf("--schema", text("schema"), ["plain", "wild"]),
    format: oneOf("--format", text("format"), ["csv", "jsonl", "json", "parquet"]),
  };
}

function offsetMinutes(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const match = /^([+-])(\d\d):?(\d\d)$/.exec(text);
  if (match === null)
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--utc-offset ${quoteForMessage(text)} is no offset; write it like +05:30`,
    );
  return (match[1] === "-" ? -1 : 1) * (60 * Number(match[2]) + Number(match[3]));
}

function hoursOf(text: string | undefined): [number, number] | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d{1,2})-(\d{1,2})$/.exec(text);
  if (match === null)
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--hours ${quoteForMessage(text)} is no part of a day; write it like 9-10`,
    );
  return [Number(match[1]), Number(match[2])];
}

function oneOf<Choice extends string>(
  flag: string,
  given: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  const choice = choices.find((each) => each === given);
  if (given !== undefined && choice === undefined)
    throw new VeilgridError("USAGE", `${flag} ${quoteForMessage(given)} is unknown; use ${choices.join(", ")}`);
  return choice;
}
