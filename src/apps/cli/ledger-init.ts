/** `veilgrid ledger init`: a dataset with a budget. */
import { type Command, flagOption, jsonText, textOption } from "./command.ts";
import { DATASET_OPTION, JSON_OPTION, LEDGER_OPTION, ledgerFlags, USERS_KEY_OPTION } from "./ledger-options.ts";

export const ledgerInitCommand: Command = {
  name: "ledger init",
  summary: "make a dataset with a budget, and the ledger's file if there is none",
  options: [
    LEDGER_OPTION,
    DATASET_OPTION,
    { flags: "--budget <number>", description: "the loss that any user may reach, over all releases" },
    {
      flags: "--occupancy-is-public",
      description: "who was where how often is published and not protected; say that this is acceptable",
    },
    USERS_KEY_OPTION,
    JSON_OPTION,
  ],
  examples: ["veilgrid ledger init --ledger ledger.db --dataset city --budget 1 --occupancy-is-public"],
  async run(_, options, context) {
    const { ledgerInit } = await import("../operations/index.ts");
    const standing = await ledgerInit({
      ...ledgerFlags(options),
      budget: textOption(options, "budget"),
      occupancyIsPublic: flagOption(options, "occupancyIsPublic"),
    });
    for (const warning of standing.warnings) context.note(warning);
    const { standingFacts, standingText } = await import("../../publish/report/index.ts");
    context.out(flagOption(options, "json") ? jsonText(standingFacts(standing)) : standingText([standing]));
  },
};
