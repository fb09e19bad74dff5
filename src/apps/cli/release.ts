/** `veilgrid release`: charges the ledger and publishes what a plan says. */
import { optionTexts, RECORDS_OPTIONS, RELEASE_OPTIONS } from "../../core/options/index.ts";
import type { ReleaseOptions } from "../operations/index.ts";
import {
  CONFIG_OPTION,
  type CommandContext,
  command,
  JSON_OPTION,
  jsonText,
  SOURCE_ARGUMENT,
  sourceName,
} from "./command.ts";

const OPTIONS = { ...RELEASE_OPTIONS, ...RECORDS_OPTIONS, ...CONFIG_OPTION, ...JSON_OPTION } as const;

const WORDS = [
  "loss: every user is charged its own joint loss; the dataset's loss is that of its worst user",
  "reserve, compute, commit, disclose: in this order, each on disk before the next; a release cut short goes on with the same command",
];

export const releaseCommand = command({
  name: "release",
  summary: "charge the ledger and publish the statistics of a plan",
  argument: SOURCE_ARGUMENT,
  options: { ...OPTIONS, dryRun: { help: "say what it would cost; charges and writes nothing" } },
  words: WORDS,
  examples: [
    "veilgrid simulate city --out city.csv",
    "veilgrid plan city.csv --user vehicle_id --value speed --lat latitude --lon longitude --h3 7 --time timestamp --slot 1d --top 12 --upper 65 --statistics mean --epsilon 1 --strategy baseline --out plan.json",
    "veilgrid ledger init --ledger ledger.db --dataset city --budget 8 --occupancy-is-public",
    "veilgrid release city.csv --plan plan.json --ledger ledger.db --dataset city --dry-run",
    "veilgrid release city.csv --plan plan.json --ledger ledger.db --dataset city --out results/",
  ],
  run: async (source, options, context) => {
    const request = { ...optionTexts(RELEASE_OPTIONS, options), records: optionTexts(RECORDS_OPTIONS, options) };
    if (!options.dryRun) return runRelease(source, request, options.json, context);
    const { releaseDryRun } = await import("../operations/index.ts");
    const { dryRunText } = await import("../../publish/report/index.ts");
    const { price, plan, dataset, key, warnings } = await releaseDryRun(source, request, context.work);
    for (const warning of warnings) context.note(warning);
    const facts = { dataset, key, planHash: plan.hash, ...price };
    context.out(options.json ? jsonText({ ...facts, warnings }) : dryRunText(facts));
  },
});

export const resumeCommand = command({
  name: "ledger resume",
  summary: "finish a release that was charged and then cut short; charges nothing",
  argument: SOURCE_ARGUMENT,
  options: OPTIONS,
  words: WORDS,
  examples: ["veilgrid ledger resume city.csv --plan plan.json --ledger ledger.db --dataset city --out results/"],
  run: (source, options, context) => {
    const request = { ...optionTexts(RELEASE_OPTIONS, options), records: optionTexts(RECORDS_OPTIONS, options) };
    return runRelease(source, { ...request, resume: true }, options.json, context);
  },
});

async function runRelease(
  source: string,
  request: ReleaseOptions,
  asJson: boolean | undefined,
  context: CommandContext,
): Promise<void> {
  const { releaseFacts, releaseRecords } = await import("../operations/index.ts");
  const { releaseText } = await import("../../publish/report/index.ts");
  const done = await releaseRecords(source, request, context.work);
  for (const warning of done.warnings) context.note(warning);
  if (done.resumed) context.note("an earlier attempt was cut short after it was charged; this finished it");
  if (done.clampedValues !== null && done.clampedValues > 0)
    context.note(
      `${done.clampedValues.toLocaleString("en-US")} values of ${sourceName(source)} lay outside the bounds and were clamped (for you only: not to be published)`,
    );
  const printed = done.files.find((file) => file.path === undefined);
  if (printed !== undefined && !asJson) {
    context.out(printed.text!);
    return;
  }
  const files = done.files.map(({ what, path }) => ({ what, path: path ?? null }));
  const facts = { ...releaseFacts(done), warnings: done.warnings, files };
  context.out(asJson ? jsonText(facts) : releaseText(facts));
}
