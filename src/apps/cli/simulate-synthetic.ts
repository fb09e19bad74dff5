/** `veilgrid simulate synthetic`: an occupancy array of the paper's model. */
import { escapeControls, VeilgridError } from "../../core/errors/index.ts";
import { type Command, flagOption, jsonText, numberOption, textOption } from "./command.ts";

export const simulateSyntheticCommand: Command = {
  name: "simulate synthetic",
  summary: "an occupancy array of the paper's synthetic model",
  options: [
    { flags: "--gamma <n>", description: "the largest count of each grid is multiplied by 1 + γ (default: 3)" },
    { flags: "--q <number>", description: "counts are Geometric(q) on 1, 2, … (default: 0.01)" },
    { flags: "--seed <n>", description: "the same seed gives the same array (default: 1)" },
    { flags: "--grids <n>", description: "grids G; there are 2^G - 1 users (default: 12)" },
    { flags: "--out <file>", description: "write the CSV here instead of standard output (.gz compresses)" },
    { flags: "--force", description: "with --out: replace the file if there is one" },
    { flags: "--json", description: "with --out: print a summary as JSON" },
  ],
  examples: ["veilgrid simulate synthetic --gamma 3 --q 0.01 --seed 1 --out o.csv"],
  async run(_, options, context) {
    const out = textOption(options, "out");
    if (flagOption(options, "json") && out === undefined) {
      throw new VeilgridError("USAGE", "--json needs --out: the array itself goes to standard output otherwise");
    }
    const { simulateSynthetic } = await import("../operations/index.ts");
    const summary = await simulateSynthetic(
      {
        gamma: numberOption(textOption(options, "gamma") ?? "3", "--gamma"),
        q: numberOption(textOption(options, "q") ?? "0.01", "--q"),
        seed: numberOption(textOption(options, "seed") ?? "1", "--seed"),
        grids: numberOption(textOption(options, "grids") ?? "12", "--grids"),
      },
      {
        out,
        force: flagOption(options, "force"),
        write: context.out,
        onProgress: context.progress,
        signal: context.signal,
      },
    );
    if (out === undefined) return;
    if (flagOption(options, "json")) {
      const { perGrid: _perGrid, ...rest } = summary;
      context.out(jsonText({ ...rest, out }));
    } else {
      const { plural } = await import("../../publish/report/index.ts");
      context.out(
        `${escapeControls(out)}: ${plural(summary.users, "user")}, ${plural(summary.grids, "grid")}, ${plural(summary.samples, "record")}, simulated\n`,
      );
    }
  },
};
