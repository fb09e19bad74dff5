/** `veilgrid ledger verify`: every balance worked out again from the journal. */
import { VeilgridError } from "../../core/errors/index.ts";
import { type Command, flagOption, jsonText } from "./command.ts";
import { JSON_OPTION, LEDGER_OPTION, ledgerFlags } from "./ledger-options.ts";

export const ledgerVerifyCommand: Command = {
  name: "ledger verify",
  summary: "work out every balance again from the journal",
  options: [LEDGER_OPTION, JSON_OPTION],
  examples: [
    "veilgrid ledger init --ledger ledger.db --dataset city --budget 1 --occupancy-is-public",
    "veilgrid ledger verify --ledger ledger.db",
  ],
  async run(_, options, context) {
    const { ledgerVerify } = await import("../operations/index.ts");
    const verification = await ledgerVerify(ledgerFlags(options));
    const { verificationText } = await import("../../publish/report/index.ts");
    context.out(flagOption(options, "json") ? jsonText(verification) : verificationText(verification));
    if (!verification.consistent)
      throw new VeilgridError("LEDGER_CONFLICT", "the ledger does not agree with its journal; release nothing from it");
  },
};
