/** `veilgrid reproduce all|synthetic|city`: the paper's experiments and figures. */

import { VeilgridError } from "../../core/errors/index.ts";
import {
  chosen,
  flagOf,
  type OptionTable,
  type OptionTexts,
  optionTexts,
  RECORDS_OPTIONS,
} from "../../core/options/index.ts";
import type { Figure } from "../../publish/report/index.ts";
import type { CityRecords } from "../operations/index.ts";
import { CONFIG_OPTION, type Command, command, JSON_OPTION, jsonText, numberOption } from "./command.ts";
import { tellNotes } from "./notes.ts";

const DEFAULT_FOLDER = "reproduction";

const COMMON = {
  out: {
    takes: "<folder>",
    help: "where figures and page go; replaces files of their names",
    default: DEFAULT_FOLDER,
  },
  figures: {
    takes: "<set>",
    help: "paper: the paper's own only, some seconds; all: also what it does not draw, some minutes more",
    choices: ["paper", "all"],
    default: "all",
  },
  seed: { takes: "<n>", help: "the same seed gives the same bytes, on any number of cores", default: "1" },
  workers: { takes: "<n>", help: "threads", default: "one per core" },
  ...JSON_OPTION,
} as const;
const DRAWS = { draws: { takes: "<n>", help: "draws of the synthetic model", default: "10" } } as const;
const RECORDS = {
  records: {
    takes: "<file>",
    help: "real records instead of the simulated city; or an occupancy CSV, used as it is",
  },
  ...RECORDS_OPTIONS,
  // What the paper's figures take unless it is given.
  h3: { ...RECORDS_OPTIONS.h3, default: "8" },
  slot: { ...RECORDS_OPTIONS.slot, default: "1h" },
  hours: { ...RECORDS_OPTIONS.hours, default: "9-10" },
  top: { ...RECORDS_OPTIONS.top, default: "50" },
  ...CONFIG_OPTION,
  bounds: { takes: "<a,b>", help: "with --records: range of the values", default: "0,65, the paper's" },
  upper: { takes: "<b>", help: "the same as --bounds 0,b" },
  unit: { takes: "<text>", help: "with --records: what values are measured in, for the axes" },
} as const;
type ReproduceTexts = OptionTexts<typeof COMMON & typeof DRAWS & typeof RECORDS>;

const WORDS = [
  "before, after: without and with CLIP-USER, which drops users from grids at the same worst error",
  "K: the most grids that any user still is in; the paper counts a loss of K·ε",
  "joint loss: what one user can really move in all grids together, which is what a ledger charges",
  "E, Ē: the worst guaranteed error of a grid, mean and variance added up; Ē after capping contributions",
  "midpoints: the middle of the range, published for every grid without looking at any data",
];

export const reproduceCommands = [
  reproduction("all", "all sixteen figures, on the synthetic model and on a simulated city", DRAWS),
  reproduction("synthetic", "the figures of the synthetic model: γ = 3, 6, 9", DRAWS),
  reproduction("city", "the figures of a city's buses, simulated or from real records", RECORDS, [
    "veilgrid simulate city --out city.csv",
    "veilgrid reproduce city --records city.csv --user vehicle_id --value speed --lat latitude --lon longitude --time timestamp --tz +05:30 --unit km/h --figures paper --out out/",
  ]),
];

function reproduction(
  what: "all" | "synthetic" | "city",
  summary: string,
  options: OptionTable,
  examples: readonly string[] = [],
): Command {
  const table = { ...COMMON, ...options };
  return command({
    name: `reproduce ${what}`,
    summary,
    options: table,
    words: WORDS,
    examples: [
      `veilgrid reproduce ${what} --figures paper --out out/`,
      ...examples,
      `veilgrid reproduce ${what} --out out/`,
    ],
    async run(_, given, context) {
      // All three commands have the common options; the others are absent where a command lacks them.
      const values = given as ReproduceTexts;
      const out = values.out ?? DEFAULT_FOLDER;
      const { reproduce } = await import("../operations/index.ts");
      const { reproduction, files, reading } = await reproduce(
        {
          what,
          figures: values.figures === undefined ? undefined : chosen(COMMON, "figures", values.figures),
          seed: numberOption(values.seed, "--seed"),
          draws: numberOption(values.draws, "--draws"),
          workers: numberOption(values.workers, "--workers"),
          city: cityRecords(values),
          command: commandLine(what, table, values),
        },
        {
          out,
          ...context.work,
          onPaperFigures: () => context.note(`the paper's figures are in ${out}; going on with what it does not draw`),
        },
      );
      if (reading !== null) await tellNotes(values.records ?? "records", reading, context);
      if (reading?.records && values.time === undefined)
        context.note("no --time: the records of all hours and days are taken together, not those of one hour");
      if (values.json) {
        context.out(jsonText({ ...reproduction, figures: reproduction.figures.map(figureFacts), files }));
      } else {
        const { reproductionText } = await import("../../publish/report/index.ts");
        context.out(reproductionText(reproduction, out));
      }
    },
  });
}

/** What to type for the same again: where it goes and on how many threads makes no difference. */
function commandLine(what: string, table: OptionTable, values: ReproduceTexts): string {
  // A config file may say more than this command takes.
  const flags = Object.entries(values)
    .filter(([name]) => name in table && !["out", "workers", "json", "config"].includes(name))
    .flatMap(([name, value]) => [flagOf(name), ...(typeof value === "string" ? [shellWord(value)] : [])]);
  return ["npx veilgrid reproduce", what, ...flags].join(" ");
}

/** For programs: numbers and words; how it is drawn is in the SVG. */
function figureFacts({ chart: { title, subtitle }, ...facts }: Figure): object {
  return { ...facts, title, subtitle };
}

/** As a shell takes it for one word, whatever is in it. */
function shellWord(text: string): string {
  return /^[\w.,:+/@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function cityRecords(values: ReproduceTexts): CityRecords | undefined {
  const { records: file, bounds, upper, unit } = values;
  const source = optionTexts(RECORDS_OPTIONS, values);
  if (file !== undefined) return { file, source, bounds, upper, unit };
  if (Object.values({ ...source, bounds, upper, unit }).some((option) => option !== undefined))
    throw new VeilgridError("USAGE", "flags about records need --records FILE; without it the city is a simulated one");
  return undefined;
}
