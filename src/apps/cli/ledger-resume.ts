/** `veilgrid ledger resume`: finishes a release that was charged and then cut short. */
import type { Command } from "./command.ts";
import { releaseCommand } from "./release.ts";

export const ledgerResumeCommand: Command = {
  ...releaseCommand,
  name: "ledger resume",
  summary: "finish a release that was charged and then cut short; charges nothing",
  options: releaseCommand.options.filter(({ flags }) => flags !== "--dry-run"),
  examples: ["veilgrid ledger resume city.csv --plan plan.json --ledger ledger.db --dataset city --out results/"],
  run: (source, options, context) => releaseCommand.run(source, { ...options, resume: true }, context),
};
