/** `veilgrid survey`: what a source holds. */
import { VeilgridError } from "../../core/errors/index.ts";
import { flagOf, optionTexts, RECORDS_OPTIONS, type RecordsTexts } from "../../core/options/index.ts";
import {
  CONFIG_OPTION,
  type CommandContext,
  command,
  JSON_OPTION,
  jsonText,
  SOURCE_ARGUMENT,
  sourceName,
} from "./command.ts";
import { tellNotes } from "./notes.ts";

export const surveyCommand = command({
  name: "survey",
  summary: "read a source and summarise who has how many records where; alone with a file: a first look at its columns",
  argument: SOURCE_ARGUMENT,
  options: {
    ...RECORDS_OPTIONS,
    ...CONFIG_OPTION,
    writeConfig: {
      takes: "<file>",
      help: "write the flags, or what the first look guesses, as a config file; replaces the file if there is one",
    },
    out: {
      takes: "<file>",
      help: "write the array as canonical CSV (.gz compresses); replaces the file if there is one",
    },
    ...JSON_OPTION,
  },
  examples: [
    "veilgrid simulate city --out city.csv",
    "veilgrid survey city.csv",
    "veilgrid survey city.csv --user vehicle_id --value speed --lat latitude --lon longitude --h3 8 --time timestamp --slot 1h --tz +05:30 --hours 9-10 --top 50",
    "veilgrid survey city.csv --write-config city.yaml",
    "veilgrid survey city.csv --config city.yaml --out occupancy.csv",
  ],
  async run(source, options, context) {
    const { isOccupancyFile, survey, wantsRecords } = await import("../operations/index.ts");
    const { out, writeConfig: config, json } = options;
    if (out !== undefined && out === config)
      throw new VeilgridError("USAGE", "--out and --write-config name the same file");
    const records = optionTexts(RECORDS_OPTIONS, options);
    if (!wantsRecords(records) && !(await isOccupancyFile(source))) {
      if (out !== undefined)
        throw new VeilgridError(
          "USAGE",
          "--out needs to know what the columns are; run it without --out for a first look",
        );
      await look(source, { records, config, json }, context);
      return;
    }
    const result = await survey(source, { out, records, ...context.work });
    await tellNotes(sourceName(source), result.survey, context);
    const given = Object.entries(records).map(([name, value]) => [flagOf(name).slice(2), value ?? false] as const);
    await writeConfig(source, given, config, context);
    if (json) {
      context.out(jsonText(result.survey));
    } else {
      const { surveyText } = await import("../../publish/report/index.ts");
      context.out(surveyText(sourceName(source), result.survey));
    }
  },
});

async function look(
  source: string,
  { records, config, json }: { records: RecordsTexts; config: string | undefined; json: boolean | undefined },
  context: CommandContext,
): Promise<void> {
  const { lookAtFile } = await import("../operations/index.ts");
  const result = await lookAtFile(source, records, context.work);
  await writeConfig(source, Object.entries(result.guess), config, context);
  if (json) {
    context.out(jsonText({ firstLook: result }));
  } else {
    const { firstLookText } = await import("../../publish/report/index.ts");
    context.out(firstLookText(result));
  }
}

async function writeConfig(
  source: string,
  flags: ReadonlyArray<readonly [string, string | boolean]>,
  file: string | undefined,
  context: CommandContext,
): Promise<void> {
  if (file === undefined) return;
  const { writeConfigFile } = await import("../operations/index.ts");
  await writeConfigFile(file, source, flags);
  context.note(`${file}: written; use it with --config ${file}`);
}
