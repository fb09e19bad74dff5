/** `veilgrid survey`: what a source holds. */
import { VeilgridError } from "../../core/errors/index.ts";
import {
  type Command,
  type CommandContext,
  flagOption,
  jsonText,
  type OptionValues,
  sourceName,
  textOption,
} from "./command.ts";
import { tellNotes } from "./notes.ts";
import { RECORD_OPTIONS, recordOptionsOf, SOURCE_ARGUMENT } from "./record-options.ts";

export const surveyCommand: Command = {
  name: "survey",
  summary: "read a source and summarise who has how many records where; alone with a file: a first look at its columns",
  argument: SOURCE_ARGUMENT,
  options: [
    ...RECORD_OPTIONS,
    {
      flags: "--write-config <file>",
      description:
        "write the flags, or what the first look guesses, as a config file; replaces the file if there is one",
    },
    {
      flags: "--out <file>",
      description: "write the array as canonical CSV (.gz compresses); replaces the file if there is one",
    },
    { flags: "--json", description: "print the summary as JSON" },
  ],
  examples: [
    "veilgrid simulate city --out city.csv",
    "veilgrid survey city.csv",
    "veilgrid survey city.csv --user vehicle_id --value speed --lat latitude --lon longitude --h3 8 --time timestamp --slot 1h --tz +05:30 --hours 9-10 --top 50",
    "veilgrid survey city.csv --write-config city.yaml",
    "veilgrid survey city.csv --config city.yaml --out occupancy.csv",
  ],
  async run(source, options, context) {
    const { isOccupancyFile, survey, wantsRecords } = await import("../operations/index.ts");
    const out = textOption(options, "out");
    if (out !== undefined && out === textOption(options, "writeConfig"))
      throw new VeilgridError("USAGE", "--out and --write-config name the same file");
    const records = recordOptionsOf(options);
    if (!wantsRecords(records) && !(await isOccupancyFile(source))) {
      if (out !== undefined)
        throw new VeilgridError(
          "USAGE",
          "--out needs to know what the columns are; run it without --out for a first look",
        );
      await look(source, options, context);
      return;
    }
    const result = await survey(source, { out, records, signal: context.signal, onProgress: context.progress });
    tellNotes(sourceName(source), result.survey, context);
    await writeConfig(source, givenFlags(options), options, context);
    if (flagOption(options, "json")) {
      context.out(jsonText(result.survey));
    } else {
      const { surveyText } = await import("../../publish/report/index.ts");
      context.out(surveyText(sourceName(source), result.survey));
    }
  },
};

async function look(source: string, options: OptionValues, context: CommandContext): Promise<void> {
  const { lookAtFile } = await import("../operations/index.ts");
  const result = await lookAtFile(source, recordOptionsOf(options), {
    signal: context.signal,
    onProgress: context.progress,
  });
  await writeConfig(source, Object.entries(result.guess), options, context);
  if (flagOption(options, "json")) {
    context.out(jsonText({ firstLook: result }));
  } else {
    const { firstLookText } = await import("../../publish/report/index.ts");
    context.out(firstLookText(result));
  }
}

async function writeConfig(
  source: string,
  flags: ReadonlyArray<readonly [string, string | boolean]>,
  options: OptionValues,
  context: CommandContext,
): Promise<void> {
  const file = textOption(options, "writeConfig");
  if (file === undefined) return;
  const { writeConfigFile } = await import("../operations/index.ts");
  await writeConfigFile(file, source, flags);
  context.note(`${file}: written; use it with --config ${file}`);
}

/** What was said about the records, by flag name, to be said again. */
function givenFlags(options: OptionValues): Array<[string, string | boolean]> {
  return RECORD_OPTIONS.flatMap(({ flags }) => {
    const name = flags.slice(2).split(" ")[0]!;
    const value = options[name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())];
    return name === "config" || value === undefined || value === false
      ? []
      : [[name, value] as [string, string | boolean]];
  });
}
