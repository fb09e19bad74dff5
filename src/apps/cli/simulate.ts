/** `veilgrid simulate synthetic|city`: an occupancy array of the paper's model, and a believable day of bus records. */
import { escapeControls, quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { chosen, type OptionTexts } from "../../core/options/index.ts";
import type { CityFlags } from "../operations/index.ts";
import { type CommandContext, command, jsonText, numberOption } from "./command.ts";

const OUTPUT = {
  out: { takes: "<file>", help: "write here instead of standard output (.gz compresses text)" },
  force: { help: "with --out: replace the file if there is one" },
  json: { help: "with --out: print a summary as JSON" },
} as const;

const CITY_OPTIONS = {
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
  ...OUTPUT,
} as const;

export const simulateSyntheticCommand = command({
  name: "simulate synthetic",
  summary: "an occupancy array of the paper's synthetic model",
  options: {
    gamma: { takes: "<n>", help: "the largest count of each grid is multiplied by 1 + γ", default: "3" },
    q: { takes: "<number>", help: "counts are Geometric(q) on 1, 2, …", default: "0.01" },
    seed: { takes: "<n>", help: "the same seed gives the same array", default: "1" },
    grids: { takes: "<n>", help: "grids G; there are 2^G - 1 users", default: "12" },
    ...OUTPUT,
  },
  examples: ["veilgrid simulate synthetic --gamma 3 --q 0.01 --seed 1 --out o.csv"],
  async run(_, options, context) {
    const destination = destinationOf(options, context);
    const { simulateSynthetic } = await import("../operations/index.ts");
    const { plural } = await import("../../publish/report/index.ts");
    const { perGrid: _perGrid, ...summary } = await simulateSynthetic(
      {
        gamma: numberOption(options.gamma ?? "3", "--gamma"),
        q: numberOption(options.q ?? "0.01", "--q"),
        seed: numberOption(options.seed ?? "1", "--seed"),
        grids: numberOption(options.grids ?? "12", "--grids"),
      },
      destination,
    );
    const told = `${plural(summary.users, "user")}, ${plural(summary.grids, "grid")}, ${plural(summary.samples, "record")}, simulated`;
    printSummary(options, { ...summary, out: options.out }, told, context);
  },
});

export const simulateCityCommand = command({
  name: "simulate city",
  summary: "a believable day of bus records: routes, stops, rush hours, sensor noise and gaps; an invented city",
  options: CITY_OPTIONS,
  examples: [
    "veilgrid simulate city --out city.csv",
    "veilgrid simulate city --preset paper --out paper.parquet",
    "veilgrid simulate city --schema wild --records 100000 --out feed.json",
  ],
  async run(_, options, context) {
    const destination = destinationOf(options, context);
    const { simulateCity } = await import("../operations/index.ts");
    const request = requestOf(options);
    const result = await simulateCity(request, destination);
    const told = `${(result.bytes / 1e6).toFixed(1)} MB of simulated records; look at it with 'npx veilgrid survey ${escapeControls(options.out ?? "")}'`;
    printSummary(options, { ...result, out: options.out, seed: request.seed }, told, context);
  },
});

/** Where simulated data goes: to a file, or to standard output, where no summary may follow. */
function destinationOf({ out, force, json }: OptionTexts<typeof OUTPUT>, context: CommandContext) {
  if (json && out === undefined)
    throw new VeilgridError("USAGE", "--json needs --out: the data itself goes to standard output otherwise");
  return { out, force, write: context.out, ...context.work };
}

function printSummary(
  { out, json }: OptionTexts<typeof OUTPUT>,
  facts: object,
  told: string,
  context: CommandContext,
): void {
  if (out !== undefined) context.out(json ? jsonText(facts) : `${escapeControls(out)}: ${told}\n`);
}

function requestOf(options: OptionTexts<typeof CITY_OPTIONS>): CityFlags {
  return {
    seed: numberOption(options.seed, "--seed") ?? 1,
    records: numberOption(options.records, "--records"),
    vehicles: numberOption(options.vehicles, "--vehicles"),
    days: numberOption(options.days, "--days"),
    date: options.date,
    utcOffsetMinutes: offsetMinutes(options.utcOffset),
    hours: hoursOf(options.hours),
    preset: chosen(CITY_OPTIONS, "preset", options.preset),
    schema: chosen(CITY_OPTIONS, "schema", options.schema),
    format: chosen(CITY_OPTIONS, "format", options.format),
  };
}

function offsetMinutes(text: string | undefined): number | undefined {
  const match = matched(text, /^([+-])(\d\d):?(\d\d)$/, "--utc-offset", "no offset; write it like +05:30");
  return match && (match[1] === "-" ? -1 : 1) * (60 * Number(match[2]) + Number(match[3]));
}

function hoursOf(text: string | undefined): [number, number] | undefined {
  const match = matched(text, /^(\d{1,2})-(\d{1,2})$/, "--hours", "no part of a day; write it like 9-10");
  return match && [Number(match[1]), Number(match[2])];
}

function matched(text: string | undefined, form: RegExp, flag: string, fault: string): RegExpExecArray | undefined {
  const match = text === undefined ? undefined : form.exec(text);
  if (match !== null) return match;
  throw new VeilgridError("PARAMETER_INVALID", `${flag} ${quoteForMessage(text!)} is ${fault}`);
}
