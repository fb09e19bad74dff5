/** `veilgrid compare`: strategies, estimators, hexagon sizes and slots side by side. */
import { type Command, flagOption, jsonText, sourceName, textOption } from "./command.ts";
import { tellNotes } from "./notes.ts";
import { RECORD_OPTIONS, recordOptionsOf, SOURCE_ARGUMENT } from "./record-options.ts";

const LISTS: Readonly<Record<string, string>> = {
  "--h3 <res>": "--h3 <list>",
  "--slot <length>": "--slot <list>",
};

export const compareCommand: Command = {
  name: "compare",
  summary: "hold strategies, estimators, hexagon sizes and slots against each other; spends nothing",
  argument: SOURCE_ARGUMENT,
  options: [
    { flags: "--bounds <a,b>", description: "range that values are clamped to; never taken from the data" },
    { flags: "--upper <b>", description: "the same as --bounds 0,b" },
    {
      flags: "--loss <list>",
      description: "compare at these losses: 0.5,1,2 or careful,common (default: 0.2,0.5,1,2,5)",
    },
    {
      flags: "--error <list>",
      description:
        "compare at these errors instead: 2,5; of several statistics 0.2,0.5 with --metric relative, 100,200 with --metric sum",
    },
    {
      flags: "--epsilon <list>",
      description: "compare at the errors that the baseline has at these ε per grid instead",
    },
    {
      flags: "--strategies <list>",
      description:
        "baseline, clip-user, clip-user+caps, clip-user-optimal (slow), frontier (default: all but the slow one; baseline,frontier for several kinds of grids)",
    },
    { flags: "--estimator <list>", description: "frontier: kept, centred, or kept,centred (default: both)" },
    { flags: "--statistics <list>", description: "as for plan (default: mean,variance)" },
    { flags: "--weights <list>", description: "with --metric sum: weights of the statistics' errors" },
    {
      flags: "--metric <name>",
      description:
        "relative or sum, as for plan, for all strategies alike (default: relative for several statistics, sum for one)",
    },
    {
      flags: "--protect-lowest",
      description: "clip-user, clip-user-optimal: drop nobody from the grid with the smallest error",
    },
    { flags: "--time-limit <seconds>", description: "frontier, clip-user-optimal: stop each plan by the clock" },
    { flags: "--unit <text>", description: "what values are measured in, such as km/h, for tables and charts" },
    { flags: "--budget <number>", description: "with --releases: the loss that a user may suffer in all" },
    { flags: "--releases <n>", description: "with --budget: over how many releases; suggests a loss for each" },
    { flags: "--seed <n>", description: "of the invented values that actual errors are told from (default: 1)" },
    ...RECORD_OPTIONS.map(({ flags, description }) => {
      const list = LISTS[flags];
      return list === undefined
        ? { flags, description }
        : {
            flags: list,
            description: `${description}; several, as ${flags.startsWith("--h3") ? "7,8,9" : "1h,3h"}, are compared${flags.startsWith("--h3") ? ", with --cell no finer than the cells are" : ""}`,
          };
    }),
    {
      flags: "--out <file>",
      description: "write a chart (.svg), or the numbers (.csv, .json); replaces the file if there is one",
    },
    { flags: "--json", description: "print the comparison as JSON" },
  ],
  words: [
    "loss: how much the whole release can tell about any one user; simple: as the paper counts it",
    "guaranteed error: worst-case bias of what is left out + expected noise, whatever the values are",
    "typical error: the same on invented values, the harshest of four models, on average over the grids",
    "midpoints: the middle of the range, published for every grid without looking at any data",
    "best possible: a proven bound; no plan with this estimator has a smaller error at this loss",
  ],
  examples: [
    "veilgrid simulate synthetic --grids 8 --gamma 3 --q 0.01 --seed 1 --out o.csv",
    "veilgrid compare o.csv --upper 65 --loss 0.5,1,2 --out trade-off.svg",
    "veilgrid compare o.csv --upper 65 --statistics mean --unit km/h --budget 2 --releases 4 --out trade-off.csv",
    "veilgrid simulate city --out city.csv",
    "veilgrid survey city.csv --write-config city.yaml",
    "veilgrid compare city.csv --config city.yaml --upper 65 --h3 6,7 --slot 1d --loss 1 --top 20",
  ],
  async run(source, options, context) {
    const out = textOption(options, "out");
    const text = (name: string): string | undefined => textOption(options, name);
    const { compare } = await import("../operations/index.ts");
    const request = {
      bounds: text("bounds"),
      upper: text("upper"),
      loss: text("loss"),
      error: text("error"),
      epsilon: text("epsilon"),
      strategies: text("strategies"),
      estimator: text("estimator"),
      statistics: text("statistics"),
      weights: text("weights"),
      metric: text("metric"),
      protectLowest: flagOption(options, "protectLowest"),
      timeLimit: text("timeLimit"),
      unit: text("unit"),
      budget: text("budget"),
      releases: text("releases"),
      seed: text("seed"),
      records: recordOptionsOf(options),
    };
    const { comparison, readings } = await compare(source, request, {
      out,
      signal: context.signal,
      onProgress: context.progress,
    });
    // The others say the same but for how many records other grids have, and tables say how many these have.
    tellNotes(sourceName(source), readings[0]!, context);
    if (flagOption(options, "json")) {
      const told = { ...comparison, warnings: readings[0]!.warnings };
      context.out(jsonText(out === undefined ? told : { ...told, out }));
    } else {
      const { comparisonText } = await import("../../publish/report/index.ts");
      context.out(comparisonText(sourceName(source), comparison, { out }));
    }
  },
};
