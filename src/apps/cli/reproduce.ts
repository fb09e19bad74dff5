/** `veilgrid reproduce all|synthetic|city`: the paper's experiments and figures. */
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import type { Figure } from "../../publish/report/index.ts";
import type { CityRecords } from "../operations/index.ts";
import {
  type Command,
  type CommandOption,
  flagOption,
  jsonText,
  numberOption,
  type OptionValues,
  textOption,
} from "./command.ts";
import { tellNotes } from "./notes.ts";
import { RECORD_OPTIONS, recordOptionsOf } from "./record-options.ts";

const DEFAULT_FOLDER = "reproduction";

const COMMON: readonly CommandOption[] = [
  {
    flags: "--out <folder>",
    description: `where figures and page go; replaces files of their names (default: ${DEFAULT_FOLDER})`,
  },
  {
    flags: "--figures <set>",
    description:
      "paper: the paper's own only, some seconds; all: also what it does not draw, some minutes more (default: all)",
  },
  { flags: "--seed <n>", description: "the same seed gives the same bytes, on any number of cores (default: 1)" },
  { flags: "--workers <n>", description: "threads (default: one per core)" },
  { flags: "--json", description: "print numbers and findings as JSON; files are written all the same" },
];
const DRAWS: CommandOption = { flags: "--draws <n>", description: "draws of the synthetic model (default: 10)" };
const RECORDS: readonly CommandOption[] = [
  {
    flags: "--records <file>",
    description: "real records instead of the simulated city; or an occupancy CSV, used as it is",
  },
  ...RECORD_OPTIONS.map(({ flags, description }) => ({
    flags,
    description: description + (paperDefault(flags) ?? ""),
  })),
  { flags: "--bounds <a,b>", description: "with --records: range of the values (default: 0,65, the paper's)" },
  { flags: "--upper <b>", description: "the same as --bounds 0,b" },
  { flags: "--unit <text>", description: "with --records: what values are measured in, for the axes" },
];

/** What `--records` takes from the paper unless told otherwise. */
function paperDefault(flags: string): string | undefined {
  return {
    "--h3 <res>": " (default here: 8)",
    "--slot <length>": " (default here: 1h)",
    "--hours <a-b>": " (default here: 9-10)",
    "--top <n>": " (default here: 50)",
  }[flags];
}

const WORDS = [
  "before, after: without and with CLIP-USER, which drops users from grids at the same worst error",
  "K: the most grids that any user still is in; the paper counts a loss of K·ε",
  "joint loss: what one user can really move in all grids together, which is what a ledger charges",
  "E, Ē: the worst guaranteed error of a grid, mean and variance added up; Ē after capping contributions",
  "midpoints: the middle of the range, published for every grid without looking at any data",
];

export const REPRODUCE_COMMANDS: readonly Command[] = [
  command("all", "all sixteen figures, on the synthetic model and on a simulated city", [DRAWS]),
  command("synthetic", "the figures of the synthetic model: γ = 3, 6, 9", [DRAWS]),
  command("city", "the figures of a city's buses, simulated or from real records", RECORDS, [
    "veilgrid simulate city --out city.csv",
    "veilgrid reproduce city --records city.csv --user vehicle_id --value speed --lat latitude --lon longitude --time timestamp --tz +05:30 --unit km/h --figures paper --out out/",
  ]),
];

function command(
  what: "all" | "synthetic" | "city",
  summary: string,
  options: readonly CommandOption[],
  examples: readonly string[] = [],
): Command {
  return {
    name: `reproduce ${what}`,
    summary,
    options: [...COMMON, ...options],
    words: WORDS,
    examples: [
      `veilgrid reproduce ${what} --figures paper --out out/`,
      ...examples,
      `veilgrid reproduce ${what} --out out/`,
    ],
    async run(_, values, context) {
      const out = textOption(values, "out") ?? DEFAULT_FOLDER;
      const { reproduce } = await import("../operations/index.ts");
      const { reproduction, files, reading } = await reproduce(
        {
          what,
          figures: figureSet(textOption(values, "figures")),
          seed: wholeNumber(values, "seed"),
          draws: wholeNumber(values, "draws"),
          workers: wholeNumber(values, "workers"),
          city: cityRecords(values),
          command: commandLine(what, [...COMMON, ...options], values),
        },
        {
          out,
          signal: context.signal,
          onProgress: context.progress,
          onPaperFigures: () => context.note(`the paper's figures are in ${out}; going on with what it does not draw`),
        },
      );
      if (reading !== null) tellNotes(textOption(values, "records")!, reading, context);
      if (reading?.records && textOption(values, "time") === undefined)
        context.note("no --time: the records of all hours and days are taken together, not those of one hour");
      if (flagOption(values, "json")) {
        context.out(jsonText({ ...reproduction, figures: reproduction.figures.map(figureFacts), files }));
      } else {
        const { reproductionText } = await import("../../publish/report/index.ts");
        context.out(reproductionText(reproduction, out));
      }
    },
  };
}

/** What to type for the same again: where it goes and on how many threads makes no difference. */
function commandLine(what: string, options: readonly CommandOption[], values: OptionValues): string {
  // A config file may say more than this command takes.
  const own = new Set(options.map(({ flags }) => flags.split(" ")[0]!));
  const flags = Object.entries(values)
    .map(([name, value]) => [`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, value] as const)
    .filter(([flag]) => own.has(flag) && !["--out", "--workers", "--json", "--config"].includes(flag))
    .flatMap(([flag, value]) => [flag, ...(typeof value === "string" ? [shellWord(value)] : [])]);
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

function figureSet(text: string | undefined): "paper" | "all" | undefined {
  if (text === undefined || text === "paper" || text === "all") return text;
  throw new VeilgridError("USAGE", `--figures ${quoteForMessage(text)} is unknown; use paper or all`);
}

function wholeNumber(values: OptionValues, name: string): number | undefined {
  const text = textOption(values, name);
  return text === undefined ? undefined : numberOption(text, `--${name}`);
}

function cityRecords(values: OptionValues): CityRecords | undefined {
  const file = textOption(values, "records");
  const source = recordOptionsOf(values);
  const request = {
    bounds: textOption(values, "bounds"),
    upper: textOption(values, "upper"),
    unit: textOption(values, "unit"),
  };
  if (file !== undefined) return { file, source, ...request };
  if (Object.values({ ...source, ...request }).some((option) => option !== undefined))
    throw new VeilgridError("USAGE", "flags about records need --records FILE; without it the city is a simulated one");
  return undefined;
}
