/** `veilgrid simulate synthetic`: an occupancy array of the paper's model. */
import { escapeControls, VeilgridError } from "../../core/errors/index.ts";
import { command, jsonText, numberOption } from "./command.ts";

export const simulateSyntheticCommand = command({
  name: "simulate synthetic",
  summary: "an occupancy array of the paper's synthetic model",
  options: {
    gamma: { takes: "<n>", help: "the largest count of each grid is multiplied by 1 + γ", default: "3" },
    q: { takes: "<number>", help: "counts are Geometric(q) on 1, 2, …", default: "0.01" },
    seed: { takes: "<n>", help: "the same seed gives the same array", default: "1" },
    grids: { takes: "<n>", help: "grids G; there are 2^G - 1 users", default: "12" },
    out: { takes: "<file>", help: "write the CSV here instead of standard output (.gz compresses)" },
    force: { help: "with --out: replace the file if there is one" },
    json: { help: "with --out: print a summary as JSON" },
  },
  examples: ["veilgrid simulate synthetic --gamma 3 --q 0.01 --seed 1 --out o.csv"],
  async run(_, options, context) {
    const { out } = options;
    if (options.json && out === undefined) {
      throw new VeilgridError("USAGE", "--json needs --out: the array itself goes to standard output otherwise");
    }
    const { simulateSynthetic } = await import("../operations/index.ts");
    const summary = await simulateSynthetic(
      {
        gamma: numberOption(options.gamma ?? "3", "--gamma"),
        q: numberOption(options.q ?? "0.01", "--q"),
        seed: numberOption(options.seed ?? "1", "--seed"),
        grids: numberOption(options.grids ?? "12", "--grids"),
      },
      {
        out,
        force: options.force,
        write: context.out,
        onProgress: context.progress,
        signal: context.signal,
      },
    );
    if (out === undefined) return;
    if (options.json) {
      const { perGrid: _perGrid, ...rest } = summary;
      context.out(jsonText({ ...rest, out }));
    } else {
      const { plural } = await import("../../publish/report/index.ts");
      context.out(
        `${escapeControls(out)}: ${plural(summary.users, "user")}, ${plural(summary.grids, "grid")}, ${plural(summary.samples, "record")}, simulated\n`,
      );
    }
  },
});
