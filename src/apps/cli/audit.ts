/** `veilgrid audit`: attacks the mechanism and reports the ε it could demonstrate. */
import { VeilgridError } from "../../core/errors/index.ts";
import { type Command, type CommandContext, flagOption, jsonText, type OptionValues, textOption } from "./command.ts";

export const auditCommand: Command = {
  name: "audit",
  summary: "attack the mechanism and the ledger, and report the ε that could be demonstrated",
  options: [
    { flags: "--quick", description: "fewer runs: under a minute" },
    {
      flags: "--full",
      description: "every strategy, estimator and statistic, questions grid by grid, planted mistakes: minutes",
    },
    { flags: "--planted", description: "only mistakes planted in it: does an audit of so many runs see them?" },
    { flags: "--claims <list>", description: "losses of whole releases to attack (default: 0.5,1,2,3; quick: 1,3)" },
    {
      flags: "--runs <n>",
      description:
        "releases drawn from each of the two datasets, per attack (default: 250000; quick: 140000; full: 100000)",
    },
    { flags: "--confidence <number>", description: "that a sound build is not called broken (default: 0.999)" },
    { flags: "--json", description: "print the figures as JSON" },
  ],
  words: [
    "two datasets that differ in one user's values: the worst there are; an attacker who tells them apart knows that user",
    "whole release: all statistics of all the user's grids together; the others: one published number on its own",
    "at best: what so many runs of these two datasets show on average; one owner: a grid of which one user has most records",
    "cannot be attained: the claim is an upper bound, as one user owns most of a grid and its statistics cannot all be moved at once",
  ],
  examples: [
    "veilgrid audit --quick",
    "veilgrid audit --claims 2 --runs 5000 --json",
    "veilgrid audit --planted --runs 20000",
  ],
  async run(_, options, context) {
    if (flagOption(options, "planted")) return runPlanted(options, context);
    if (flagOption(options, "full")) return runInFull(options, context);
    const { audit } = await import("../operations/index.ts");
    const result = await audit(
      {
        claims: textOption(options, "claims"),
        runs: textOption(options, "runs"),
        confidence: textOption(options, "confidence"),
        quick: flagOption(options, "quick"),
      },
      { signal: context.signal, onProgress: context.progress },
    );
    const { auditText } = await import("../../publish/report/index.ts");
    context.out(flagOption(options, "json") ? jsonText(result) : auditText(result));
    if (result.broken)
      throw new VeilgridError("INTERNAL", "the audit refuted a claim: do not release anything with this build");
  },
};

async function runInFull(options: OptionValues, context: CommandContext): Promise<void> {
  checkAlone(options, "full");
  const { auditInFull } = await import("../operations/index.ts");
  const result = await auditInFull(
    { runs: textOption(options, "runs"), confidence: textOption(options, "confidence") },
    { signal: context.signal, onProgress: context.progress },
  );
  const { fullAuditText } = await import("../../publish/report/index.ts");
  context.out(flagOption(options, "json") ? jsonText(result) : fullAuditText(result));
  if (result.broken)
    throw new VeilgridError("INTERNAL", "the audit refuted a claim: do not release anything with this build");
  if (result.blind) throw new VeilgridError("INTERNAL", BLIND);
}

async function runPlanted(options: OptionValues, context: CommandContext): Promise<void> {
  checkAlone(options, "planted");
  const { auditMistakes } = await import("../operations/index.ts");
  const planted = await auditMistakes(
    { runs: textOption(options, "runs"), confidence: textOption(options, "confidence") },
    { signal: context.signal, onProgress: context.progress },
  );
  const { plantedText } = await import("../../publish/report/index.ts");
  context.out(flagOption(options, "json") ? jsonText(planted) : `${plantedText(planted)}\n`);
  if (planted.some(({ found }) => !found)) throw new VeilgridError("INTERNAL", BLIND);
}

function checkAlone(options: OptionValues, flag: string): void {
  const conflict = ["quick", "claims", "full"].find((name) => name !== flag && options[name] !== undefined);
  if (conflict !== undefined)
    throw new VeilgridError("USAGE", `--${flag} and --${conflict} do not go together; leave one of them out`);
}

const BLIND = "the audit did not find a planted mistake: it says nothing; repeat it with more --runs";
