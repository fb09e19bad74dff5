/** `veilgrid compare`: strategies, estimators, hexagon sizes and slots side by side. */
import { COMPARE_OPTIONS, COMPARED_RECORDS_OPTIONS, optionTexts } from "../../core/options/index.ts";
import { CONFIG_OPTION, command, JSON_OPTION, jsonText, SOURCE_ARGUMENT, sourceName } from "./command.ts";
import { tellNotes } from "./notes.ts";

export const compareCommand = command({
  name: "compare",
  summary: "hold strategies, estimators, hexagon sizes and slots against each other; spends nothing",
  argument: SOURCE_ARGUMENT,
  options: {
    ...COMPARE_OPTIONS,
    ...COMPARED_RECORDS_OPTIONS,
    ...CONFIG_OPTION,
    out: {
      takes: "<file>",
      help: "write a chart (.svg), or the numbers (.csv, .json); replaces the file if there is one",
    },
    ...JSON_OPTION,
  },
  words: [
    "loss: how much the whole release can tell about any one user; simple: as the paper counts it",
    "guaranteed error: worst-case bias of what is left out + expected noise, whatever the values are",
    "typical error: what balanced plans expect under their public model, on average over the grids; nothing of it is guaranteed",
    "invented: bias and expected noise on invented values, the harshest of four models, on average over the grids",
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
    const { out } = options;
    const { compare } = await import("../operations/index.ts");
    const request = {
      ...optionTexts(COMPARE_OPTIONS, options),
      records: optionTexts(COMPARED_RECORDS_OPTIONS, options),
    };
    const work = { out, ...context.work };
    const { comparison, readings } = await compare(source, request, work);
    // The others say the same but for how many records other grids have, and tables say how many these have.
    const [first] = readings;
    if (first !== undefined) await tellNotes(sourceName(source), first, context);
    if (options.json) {
      const facts = { ...comparison, warnings: first?.warnings };
      context.out(jsonText(out === undefined ? facts : { ...facts, out }));
    } else {
      const { comparisonText } = await import("../../publish/report/index.ts");
      context.out(comparisonText(sourceName(source), comparison, { out }));
    }
  },
});
