/** `veilgrid ledger void`: gives up a release that was charged but never finished. */
import { type Command, flagOption, jsonText, textOption } from "./command.ts";
import { DATASET_OPTION, JSON_OPTION, LEDGER_OPTION, ledgerFlags } from "./ledger-options.ts";

export const ledgerVoidCommand: Command = {
  name: "ledger void",
  summary: "give up a release that was reserved and never committed; its charge is refunded",
  options: [LEDGER_OPTION, DATASET_OPTION, { flags: "--key <text>", description: "of the release" }, JSON_OPTION],
  examples: ["veilgrid ledger void --ledger ledger.db --dataset city --key 2026-11"],
  async run(_, options, context) {
    const { ledgerVoid } = await import("../operations/index.ts");
    const voided = await ledgerVoid({ ...ledgerFlags(options), key: textOption(options, "key") });
    const grids = voided.parts.length === 1 ? "1 grid" : `${voided.parts.length.toLocaleString("en-US")} grids`;
    context.out(flagOption(options, "json") ? jsonText(voided) : `given up and refunded: ${grids}\n`);
  },
};
