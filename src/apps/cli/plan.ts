/** `veilgrid plan`: what to keep and how much noise, decided from occupancy alone. */
import { VeilgridError } from "../../core/errors/index.ts";
import { optionTexts, PLAN_OPTIONS, RECORDS_OPTIONS } from "../../core/options/index.ts";
import { CONFIG_OPTION, command, JSON_OPTION, jsonText, SOURCE_ARGUMENT, sourceName } from "./command.ts";
import { tellNotes } from "./notes.ts";

export const planCommand = command({
  name: "plan",
  summary: "choose what to keep and how much noise to add; spends nothing",
  argument: SOURCE_ARGUMENT,
  options: {
    ...PLAN_OPTIONS,
    ...RECORDS_OPTIONS,
    ...CONFIG_OPTION,
    rows: { takes: "<n>", help: "rows of the per-grid table", default: "12" },
    out: { takes: "<file>", help: "write the plan that a release takes; replaces the file if there is one" },
    ...JSON_OPTION,
  },
  words: [
    "balanced: users' averages, weighted for the least typical error under a stated, public model; the guarantee stands beside it",
    "typical error: what to expect, noise and weights together, if users differ as --spread says; docs/accuracy.md",
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
    "veilgrid plan o.csv --upper 65 --loss 1 --spread users=4,records=6 --passes 1 --statistics mean",
    "veilgrid plan o.csv --upper 65 --loss 1 --strategy frontier",
    "veilgrid plan o.csv --upper 65 --error mean=5,sd=15 --out plan.json",
    "veilgrid plan o.csv --upper 65 --epsilon 1 --strategy clip-user --protect-lowest",
    "veilgrid simulate city --out city.csv",
    "veilgrid survey city.csv --write-config city.yaml",
    "veilgrid plan city.csv --config city.yaml --hours 9-10 --upper 65 --statistics mean --loss common",
  ],
  async run(source, options, context) {
    const gridRows = gridRowsOf(options.rows);
    const { out } = options;
    const { plan } = await import("../operations/index.ts");
    const request = { ...optionTexts(PLAN_OPTIONS, options), records: optionTexts(RECORDS_OPTIONS, options) };
    const result = await plan(source, request, { out, ...context.work });
    await tellNotes(sourceName(source), result, context);
    if (options.json) {
      const facts = { ...result.summary, warnings: result.warnings };
      context.out(jsonText(out === undefined ? facts : { ...facts, out }));
    } else {
      const { planSummaryText } = await import("../../publish/report/index.ts");
      const { about, partition } = result.plan;
      const named = { unit: about?.unit, user: partition?.["user"] };
      context.out(planSummaryText(sourceName(source), result.summary, { gridRows, out, ...named }));
    }
  },
});

function gridRowsOf(text: string | undefined): number {
  if (text === undefined) return 12;
  if (!/^\d{1,7}$/.test(text))
    throw new VeilgridError("USAGE", `--rows '${text.slice(0, 20)}' is not a whole number from 0`);
  return Number(text);
}
