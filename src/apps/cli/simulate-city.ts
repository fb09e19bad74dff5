/** `veilgrid simulate city`: a believable day of bus records. */
import { escapeControls, quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { chosen, type OptionTexts } from "../../core/options/index.ts";
import type { CityFlags } from "../operations/index.ts";
import { command, jsonText, numberOption } from "./command.ts";

const OPTIONS = {
  seed: { takes: "<n>", help: "the same seed gives the same bytes", default: "1" },
  records: {
    takes: "<n>",
    help: "about so many records, by more vehicles, days and faster reporting",
    default: "one day, about 390,000",
  },
  vehicles: { takes: "<n>", help: "how many buses", default: "291" },
  days: { takes: "<n>", help: "how many days", default: "1" },
  date: { takes: "<day>", help: "the first day", default: "2026-03-10" },
  utcOffset: { takes: "<offset>", help: "of the local clock", default: "+05:30" },
  hours: { takes: "<a-b>", help: "only these local hours" },
  preset: {
    takes: "<name>",
    choices: ["paper"],
    help: "paper: at 9-10, in the 50 busiest hexagons, about 223 users in at most about 11 grids each",
  },
  schema: {
    takes: "<name>",
    choices: ["plain", "wild"],
    help: "plain, or wild: as city feeds are, rows repeated, values missing, points as text",
    default: "plain",
  },
  format: {
    takes: "<name>",
    choices: ["csv", "jsonl", "json", "parquet"],
    help: "csv, jsonl, json or parquet",
    default: "by the file's name",
  },
  out: { takes: "<file>", help: "write here instead of standard output (.gz compresses text)" },
  force: { help: "with --out: replace the file if there is one" },
  json: { help: "with --out: print a summary as JSON" },
} as const;

export const simulateCityCommand = command({
  name: "simulate city",
  summary: "a believable day of bus records: routes, stops, rush hours, sensor noise and gaps; an invented city",
  options: OPTIONS,
  examples: [
    "veilgrid simulate city --out city.csv",
    "veilgrid simulate city --preset paper --out paper.parquet",
    "veilgrid simulate city --schema wild --records 100000 --out feed.json",
  ],
  async run(_, options, context) {
    const { out } = options;
    if (options.json && out === undefined)
      throw new VeilgridError("USAGE", "--json needs --out: the records themselves go to standard output otherwise");
    const { simulateCity } = await import("../operations/index.ts");
    const request = requestOf(options);
    const result = await simulateCity(request, {
      out,
      force: options.force,
      write: context.out,
      onProgress: context.progress,
      signal: context.signal,
    });
    if (out === undefined) return;
    if (options.json) context.out(jsonText({ ...result, out, seed: request.seed }));
    else
      context.out(
        `${escapeControls(out)}: ${(result.bytes / 1e6).toFixed(1)} MB of simulated records; look at it with 'npx veilgrid survey ${escapeControls(out)}'\n`,
      );
  },
});

function requestOf(options: OptionTexts<typeof OPTIONS>): CityFlags {
  return {
    seed: numberOption(options.seed, "--seed") ?? 1,
    records: numberOption(options.records, "--records"),
    vehicles: numberOption(options.vehicles, "--vehicles"),
    days: numberOption(options.days, "--days"),
    date: options.date,
    utcOffsetMinutes: offsetMinutes(options.utcOffset),
    hours: hoursOf(options.hours),
    preset: chosen(OPTIONS, "preset", options.preset),
    schema: chosen(OPTIONS, "schema", options.schema),
    format: chosen(OPTIONS, "format", options.format),
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
