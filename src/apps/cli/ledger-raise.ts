/** `veilgrid ledger raise`: a larger budget, with a reason for the audit trail. */
import { type Command, flagOption, jsonText, textOption } from "./command.ts";
import { DATASET_OPTION, JSON_OPTION, LEDGER_OPTION, ledgerFlags } from "./ledger-options.ts";

export const ledgerRaiseCommand: Command = {
  name: "ledger raise",
  summary: "raise a dataset's budget, and record why",
  options: [
    LEDGER_OPTION,
    DATASET_OPTION,
    { flags: "--budget <number>", description: "the new budget; budgets only go up" },
    { flags: "--reason <text>", description: "why, for the audit trail" },
    JSON_OPTION,
  ],
  examples: [
    "veilgrid ledger init --ledger ledger.db --dataset city --budget 1 --occupancy-is-public",
    "veilgrid ledger raise --ledger ledger.db --dataset city --budget 2 --reason council-decision-14/2026",
  ],
  async run(_, options, context) {
    const { ledgerRaise } = await import("../operations/index.ts");
    const standing = await ledgerRaise({
      ...ledgerFlags(options),
      budget: textOption(options, "budget"),
      reason: textOption(options, "reason"),
    });
    const { standingFacts, standingText } = await import("../../publish/report/index.ts");
    context.out(flagOption(options, "json") ? jsonText(standingFacts(standing)) : standingText([standing]));
  },
};
