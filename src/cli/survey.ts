/** `veilgrid survey`: what a source holds. */
import { type Command, flagOption, jsonText, sourceName, textOption } from "./command.ts";
import { tellNotes } from "./notes.ts";

export const surveyCommand: Command = {
  name: "survey",
  summary: "read a source and summarise who has how many records where",
  argument: {
    name: "source",
    description: "occupancy CSV with header user,grid,count, plain or gzip; - for standard input",
  },
  options: [
    { flags: "--out <file>", description: "write the array as canonical CSV (.gz compresses)" },
    { flags: "--json", description: "print the summary as JSON" },
  ],
  examples: [
    "veilgrid simulate synthetic --out o.csv.gz",
    "veilgrid survey o.csv.gz",
    "veilgrid survey o.csv.gz --out sorted.csv --json",
  ],
  async run(source, options, context) {
    const { survey } = await import("../operations/index.ts");
    const result = await survey(source, {
      out: textOption(options, "out"),
      signal: context.signal,
      onProgress: context.progress,
    });
    tellNotes(sourceName(source), result.survey.notes, context);
    if (flagOption(options, "json")) {
      context.out(jsonText(result.survey));
    } else {
      const { surveyText } = await import("../report/index.ts");
      context.out(surveyText(sourceName(source), result.survey));
    }
  },
};
