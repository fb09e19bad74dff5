/** `veilgrid ledger show`: budgets, losses, releases, and what happened when. */
import { type Command, flagOption, jsonText } from "./command.ts";
import { DATASET_OPTION, JSON_OPTION, LEDGER_OPTION, ledgerFlags } from "./ledger-options.ts";

export const ledgerShowCommand: Command = {
  name: "ledger show",
  summary: "budgets, losses, releases, how many more fit, and the audit trail",
  options: [
    LEDGER_OPTION,
    DATASET_OPTION,
    {
      flags: "--head",
      description:
        "print only the head of the journal: a short line to keep outside the ledger, for veilgrid release --after",
    },
    JSON_OPTION,
  ],
  examples: [
    "veilgrid ledger init --ledger ledger.db --dataset city --budget 1 --occupancy-is-public",
    "veilgrid ledger show --ledger ledger.db",
    "veilgrid ledger show --ledger ledger.db --dataset city --json",
    "veilgrid ledger show --ledger ledger.db --head",
  ],
  async run(_, options, context) {
    const { ledgerHead, ledgerShow } = await import("../operations/index.ts");
    if (flagOption(options, "head")) {
      const head = await ledgerHead(ledgerFlags(options));
      context.out(flagOption(options, "json") ? jsonText({ head }) : `${head}\n`);
      return;
    }
    const standings = await ledgerShow(ledgerFlags(options));
    const { standingFacts, standingText } = await import("../../publish/report/index.ts");
    context.out(flagOption(options, "json") ? jsonText(standings.map(standingFacts)) : standingText(standings));
  },
};
