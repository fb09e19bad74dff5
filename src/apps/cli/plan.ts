/** `veilgrid plan`: what to keep and how much noise, decided from occupancy alone. */
import { VeilgridError } from "../../core/errors/index.ts";
import { type Command, flagOption, jsonText, sourceName, textOption } from "./command.ts";
import { tellNotes } from "./notes.ts";
import { RECORD_OPTIONS, recordOptionsOf, SOURCE_ARGUMENT } from "./record-options.ts";

export const planCommand: Command = {
  name: "plan",
  summary: "choose what to keep and how much noise to add; spends nothing",
  argument: SOURCE_ARGUMENT,
  options: [
    { flags: "--bounds <a,b>", description: "range that values are clamped to; never taken from the data" },
    { flags: "--upper <b>", description: "the same as --bounds 0,b" },
    {
      flags: "--loss <number>",
      description:
        "frontier: the loss you allow; the smallest error for it. 0.5, a budget over releases (2/52), or careful (0.1), common (1), loose (3)",
    },
    {
      flags: "--error <number>",
      description:
        "frontier: the error you allow; the smallest loss for it. One per statistic, mean=2,sd=5, or one for all in the --metric that you name",
    },
    {
      flags: "--epsilon <number>",
      description: "ε per grid: more ε, less noise, more loss. frontier: the smallest loss for the error it would have",
    },
    {
      flags: "--strategy <name>",
      description:
        "frontier; or the paper's: baseline (drops nobody), clip-user, clip-user-optimal (its smallest K) (default: frontier)",
    },
    {
      flags: "--estimator <name>",
      description:
        "what is left out counts as the middle of the range (centred), or as if it did not exist (kept, the paper's) (default: centred for frontier)",
    },
    {
      flags: "--time-limit <seconds>",
      description:
        "frontier, clip-user-optimal: stop searching after so many whole seconds; the plan then depends on the machine",
    },
    {
      flags: "--statistics <list>",
      // Written out, so that help loads no statistic; a test holds it to the list.
      description:
        "mean, variance, sum, share:T (of values above T), histogram:E/E (shares of the bins between edges), second-moment (default: mean,variance)",
    },
    {
      flags: "--weights <list>",
      description: "with --metric sum: weights of the statistics' errors, mean=1,variance=0.1 (default: 1)",
    },
    {
      flags: "--split <name>",
      description:
        "a grid's ε over its statistics: even, or best for its error; drops are decided under even (default: even)",
    },
    {
      flags: "--metric <name>",
      description:
        "what an error is: relative to the data-free error, the worst statistic, or sum of the statistics' errors, whatever their units (default: relative for several statistics, sum for one and for the paper's strategies)",
    },
    {
      flags: "--error-bound <number>",
      description:
        "clip-user, clip-user-optimal: error, in the metric, that no grid may exceed (default: the worst before any drop)",
    },
    {
      flags: "--protect-lowest",
      description:
        "clip-user, clip-user-optimal: drop nobody from the grid with the smallest error, as the paper's synthetic runs do",
    },
    {
      flags: "--whole-stages",
      description: "clip-user: undo the drops of the last, unfinished round; they add bias and cannot lower K",
    },
    {
      flags: "--caps",
      description: "baseline, clip-user: then cap every user's records in each grid where that lowers the error",
    },
    {
      flags: "--step <number>",
      description: "lattice that values are rounded to; must divide b - a (default: (b - a)/2^20)",
    },
    {
      flags: "--keep <rule>",
      description:
        "which records of a user are kept where not all are: spread evenly over time, or first, the earliest (default: spread)",
    },
    ...RECORD_OPTIONS,
    { flags: "--rows <n>", description: "rows of the per-grid table (default: 12)" },
    { flags: "--out <file>", description: "write the plan that a release takes; replaces the file if there is one" },
    { flags: "--json", description: "print the summary as JSON" },
  ],
  words: [
    "frontier: what to keep of whom and how much noise, chosen together; the plan says how near to the best possible it is",
    "loss: how much the whole release can tell about any one user; e^loss bounds the odds of a guess",
    "simple rule: a user loses ε in every grid it is in; joint rule: only as much as it can move the numbers there",
    "guaranteed error: worst-case bias of what is left out + expected noise; useful: below the data-free error",
    "data-free error: how far off publishing the middle of the range can be, which tells nothing about anyone",
    "K: the most grids any user still has records in; protected: a grid nobody is dropped from",
  ],
  examples: [
    "veilgrid simulate synthetic --gamma 3 --q 0.01 --seed 1 --out o.csv",
    "veilgrid plan o.csv --upper 65 --loss 1",
    "veilgrid plan o.csv --upper 65 --error mean=5,sd=15 --out plan.json",
    "veilgrid plan o.csv --upper 65 --epsilon 1 --strategy clip-user --protect-lowest",
    "veilgrid simulate city --out city.csv",
    "veilgrid survey city.csv --write-config city.yaml",
    "veilgrid plan city.csv --config city.yaml --hours 9-10 --upper 65 --statistics mean --loss common",
  ],
  async run(source, options, context) {
    const gridRows = gridRowsOf(textOption(options, "rows"));
    const out = textOption(options, "out");
    const { plan } = await import("../operations/index.ts");
    const request = {
      bounds: textOption(options, "bounds"),
      upper: textOption(options, "upper"),
      epsilon: textOption(options, "epsilon"),
      strategy: textOption(options, "strategy"),
      estimator: textOption(options, "estimator"),
      error: textOption(options, "error"),
      loss: textOption(options, "loss"),
      timeLimit: textOption(options, "timeLimit"),
      statistics: textOption(options, "statistics"),
      weights: textOption(options, "weights"),
      split: textOption(options, "split"),
      metric: textOption(options, "metric"),
      step: textOption(options, "step"),
      errorBound: textOption(options, "errorBound"),
      protectLowest: flagOption(options, "protectLowest"),
      wholeStages: flagOption(options, "wholeStages"),
      caps: flagOption(options, "caps"),
      keep: textOption(options, "keep"),
      records: recordOptionsOf(options),
    };
    const result = await plan(source, request, { out, signal: context.signal, onProgress: context.progress });
    tellNotes(sourceName(source), result, context);
    if (flagOption(options, "json")) {
      const told = { ...result.summary, warnings: result.warnings };
      context.out(jsonText(out === undefined ? told : { ...told, out }));
    } else {
      const { planSummaryText } = await import("../../publish/report/index.ts");
      context.out(planSummaryText(sourceName(source), result.summary, { gridRows, out }));
    }
  },
};

function gridRowsOf(text: string | undefined): number {
  if (text === undefined) return 12;
  if (!/^\d{1,7}$/.test(text))
    throw new VeilgridError("USAGE", `--rows '${text.slice(0, 20)}' is not a whole number from 0`);
  return Number(text);
}
