/** `veilgrid ledger …`: makes, shows, checks and raises budgets, and finishes or gives up a release that was cut short. */
import { VeilgridError } from "../../core/errors/index.ts";
import type { Standing } from "../../publish/ledger/index.ts";
import { type CommandContext, command, JSON_OPTION, jsonText } from "./command.ts";
import { resumeCommand } from "./release.ts";

const LEDGER = {
  ledger: { takes: "<place>", help: "where budgets are kept: a file, or postgres://user@host/database" },
} as const;
const DATASET = { ...LEDGER, dataset: { takes: "<name>", help: "whose budget it is" } } as const;
const KEY = { key: { takes: "<text>", help: "of the release" } } as const;
const MADE = "veilgrid ledger init --ledger ledger.db --dataset city --budget 1 --occupancy-is-public";

async function print(standing: Standing, asJson: boolean | undefined, context: CommandContext): Promise<void> {
  const { standingFacts, standingText } = await import("../../publish/report/index.ts");
  context.out(asJson ? jsonText(standingFacts(standing)) : standingText([standing]));
}

export const ledgerCommands = [
  command({
    name: "ledger init",
    summary: "make a dataset with a budget, and the ledger's file if there is none",
    options: {
      ...DATASET,
      budget: { takes: "<number>", help: "the loss that any user may reach, over all releases" },
      occupancyIsPublic: {
        help: "who was where how often is published and not protected; say that this is acceptable",
      },
      usersKey: {
        takes: "<file>",
        help: "file with a secret: users are kept as hashes under it, in `ledger init` and ever after",
      },
      ...JSON_OPTION,
    },
    examples: [MADE],
    async run(_, options, context) {
      const { ledgerInit } = await import("../operations/index.ts");
      const standing = await ledgerInit({ ...options, occupancyIsPublic: options.occupancyIsPublic === true });
      for (const warning of standing.warnings) context.note(warning);
      await print(standing, options.json, context);
    },
  }),
  command({
    name: "ledger show",
    summary: "budgets, losses, releases, how many more fit, and the audit trail",
    options: {
      ...DATASET,
      head: {
        help: "print only the head of the journal: a short line to keep outside the ledger, for veilgrid release --after",
      },
      ...JSON_OPTION,
    },
    examples: [
      MADE,
      "veilgrid ledger show --ledger ledger.db",
      "veilgrid ledger show --ledger ledger.db --dataset city --json",
      "veilgrid ledger show --ledger ledger.db --head",
    ],
    async run(_, options, context) {
      const { ledgerHead, ledgerShow } = await import("../operations/index.ts");
      if (options.head) {
        const head = await ledgerHead(options);
        context.out(options.json ? jsonText({ head }) : `${head}\n`);
        return;
      }
      const standings = await ledgerShow(options);
      const { standingFacts, standingText } = await import("../../publish/report/index.ts");
      context.out(options.json ? jsonText(standings.map(standingFacts)) : standingText(standings));
    },
  }),
  command({
    name: "ledger verify",
    summary: "work out every balance again from the journal",
    options: { ...LEDGER, ...JSON_OPTION },
    examples: [MADE, "veilgrid ledger verify --ledger ledger.db"],
    async run(_, options, context) {
      const { ledgerVerify } = await import("../operations/index.ts");
      const verification = await ledgerVerify(options);
      const { verificationText } = await import("../../publish/report/index.ts");
      context.out(options.json ? jsonText(verification) : verificationText(verification));
      if (!verification.consistent)
        throw new VeilgridError(
          "LEDGER_CONFLICT",
          "the ledger does not agree with its journal; release nothing from it",
        );
    },
  }),
  resumeCommand,
  command({
    name: "ledger void",
    summary: "give up a release that was reserved and never committed; its charge is refunded",
    options: { ...DATASET, ...KEY, ...JSON_OPTION },
    examples: ["veilgrid ledger void --ledger ledger.db --dataset city --key 2026-11"],
    async run(_, options, context) {
      const { ledgerVoid } = await import("../operations/index.ts");
      const voided = await ledgerVoid(options);
      const grids = voided.parts.length === 1 ? "1 grid" : `${voided.parts.length.toLocaleString("en-US")} grids`;
      context.out(options.json ? jsonText(voided) : `given up and refunded: ${grids}\n`);
    },
  }),
  command({
    name: "ledger raise",
    summary: "raise a dataset's budget, and record why",
    options: {
      ...DATASET,
      budget: { takes: "<number>", help: "the new budget; budgets only go up" },
      reason: { takes: "<text>", help: "why, for the audit trail" },
      ...JSON_OPTION,
    },
    examples: [
      MADE,
      "veilgrid ledger raise --ledger ledger.db --dataset city --budget 2 --reason council-decision-14/2026",
    ],
    async run(_, options, context) {
      const { ledgerRaise } = await import("../operations/index.ts");
      await print(await ledgerRaise(options), options.json, context);
    },
  }),
] as const;
