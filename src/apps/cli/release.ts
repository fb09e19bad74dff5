/** `veilgrid release`: charges the ledger and publishes what a plan says. */
import { type Command, flagOption, jsonText, sourceName, textOption } from "./command.ts";
import { RECORD_OPTIONS, recordOptionsOf, SOURCE_ARGUMENT } from "./record-options.ts";

export const releaseCommand: Command = {
  name: "release",
  summary: "charge the ledger and publish the statistics of a plan",
  argument: SOURCE_ARGUMENT,
  options: [
    { flags: "--plan <file>", description: "what veilgrid plan --out wrote; says how records are read" },
    {
      flags: "--ledger <place>",
      description: "where budgets are kept: a file, or postgres://user@host/database; made by veilgrid ledger init",
    },
    { flags: "--dataset <name>", description: "whose budget is charged" },
    {
      flags: "--key <text>",
      description:
        "name of this release: the same key gives the same bytes and is charged once; {yyyy}, {mm}, {dd} (today, UTC) and {plan} are filled in (default: the plan's hash)",
    },
    {
      flags: "--out <path>",
      description:
        "a file, or a folder (results/) for all formats, the privacy statement and the data dictionary; replaces files of these names (default: CSV to standard output)",
    },
    {
      flags: "--format <list>",
      description: "csv, json, parquet, geojson, html (default: by the ending of --out; all of them into a folder)",
    },
    { flags: "--confidence <number>", description: "of the intervals (default: 0.95)" },
    { flags: "--dry-run", description: "say what it would cost; charges and writes nothing" },
    {
      flags: "--after <head>",
      description: "refuse a ledger that does not contain this head, which veilgrid ledger show --head printed earlier",
    },
    {
      flags: "--ledger-is-current",
      description: "release although other files suggest that the ledger is an older copy",
    },
    { flags: "--users-key <file>", description: "file with the secret under which the dataset keeps its users" },
    { flags: "--replay-seed <n>", description: "experiments: noise that can be replayed; the output says NOT PRIVATE" },
    ...RECORD_OPTIONS,
    { flags: "--json", description: "print what was done as JSON" },
  ],
  words: [
    "loss: every user is charged its own joint loss; the dataset's loss is that of its worst user",
    "reserve, compute, commit, disclose: in this order, each on disk before the next; a release cut short goes on with the same command",
  ],
  examples: [
    "veilgrid simulate city --out city.csv",
    "veilgrid plan city.csv --user vehicle_id --value speed --lat latitude --lon longitude --h3 7 --time timestamp --slot 1d --top 12 --upper 65 --statistics mean --epsilon 1 --strategy baseline --out plan.json",
    "veilgrid ledger init --ledger ledger.db --dataset city --budget 8 --occupancy-is-public",
    "veilgrid release city.csv --plan plan.json --ledger ledger.db --dataset city --dry-run",
    "veilgrid release city.csv --plan plan.json --ledger ledger.db --dataset city --out results/",
  ],
  async run(source, options, context) {
    const request = {
      plan: textOption(options, "plan"),
      ledger: textOption(options, "ledger"),
      dataset: textOption(options, "dataset"),
      key: textOption(options, "key"),
      usersKey: textOption(options, "usersKey"),
      after: textOption(options, "after"),
      ledgerIsCurrent: flagOption(options, "ledgerIsCurrent"),
      out: textOption(options, "out"),
      format: textOption(options, "format"),
      confidence: textOption(options, "confidence"),
      replaySeed: textOption(options, "replaySeed"),
      resume: flagOption(options, "resume"),
      records: recordOptionsOf(options),
    };
    const { releaseDryRun, releaseFacts, releaseRecords } = await import("../operations/index.ts");
    const { dryRunText, releaseText } = await import("../../publish/report/index.ts");
    const work = { signal: context.signal, onProgress: context.progress };
    const asJson = flagOption(options, "json");
    if (flagOption(options, "dryRun")) {
      const { price, plan, dataset, key, warnings } = await releaseDryRun(source, request, work);
      for (const warning of warnings) context.note(warning);
      const facts = { dataset, key, planHash: plan.hash, ...price };
      context.out(asJson ? jsonText({ ...facts, warnings }) : dryRunText(facts));
      return;
    }
    const done = await releaseRecords(source, request, work);
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
  },
};
