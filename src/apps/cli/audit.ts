/** `veilgrid audit`: attacks the mechanism and reports the ε it could demonstrate. */
import { VeilgridError } from "../../core/errors/index.ts";
import type { OptionTexts } from "../../core/options/index.ts";
import { command, JSON_OPTION, jsonText } from "./command.ts";

const OPTIONS = {
  quick: { help: "fewer runs: under a minute" },
  full: { help: "every strategy, estimator and statistic, questions grid by grid, planted mistakes: minutes" },
  planted: { help: "only mistakes planted in it: does an audit of so many runs see them?" },
  claims: { takes: "<list>", help: "losses of whole releases to attack", default: "0.5,1,2,3; quick: 1,3" },
  runs: {
    takes: "<n>",
    help: "releases drawn from each of the two datasets, per attack",
    default: "250000; quick: 140000; full: 100000",
  },
  confidence: { takes: "<number>", help: "that a sound build is not called broken", default: "0.999" },
  ...JSON_OPTION,
} as const;

export const auditCommand = command({
  name: "audit",
  summary: "attack the mechanism and the ledger, and report the ε that could be demonstrated",
  options: OPTIONS,
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
    const { audit, auditInFull, auditMistakes } = await import("../operations/index.ts");
    const { auditText, fullAuditText, plantedText } = await import("../../publish/report/index.ts");
    if (options.planted) {
      checkAlone(options, "planted");
      const planted = await auditMistakes(options, context.work);
      context.out(options.json ? jsonText(planted) : `${plantedText(planted)}\n`);
      return judge({ broken: false, blind: planted.some(({ found }) => !found) });
    }
    if (options.full) {
      checkAlone(options, "full");
      const result = await auditInFull(options, context.work);
      context.out(options.json ? jsonText(result) : fullAuditText(result));
      return judge(result);
    }
    const result = await audit(options, context.work);
    context.out(options.json ? jsonText(result) : auditText(result));
    judge({ ...result, blind: false });
  },
});

function judge({ broken, blind }: { readonly broken: boolean; readonly blind: boolean }): void {
  if (broken) throw new VeilgridError("INTERNAL", "the audit refuted a claim: do not release anything with this build");
  if (blind)
    throw new VeilgridError(
      "INTERNAL",
      "the audit did not find a planted mistake: it says nothing; repeat it with more --runs",
    );
}

function checkAlone(options: OptionTexts<typeof OPTIONS>, flag: "full" | "planted"): void {
  const conflict = (["quick", "claims", "full"] as const).find((name) => name !== flag && options[name] !== undefined);
  if (conflict !== undefined)
    throw new VeilgridError("USAGE", `--${flag} and --${conflict} do not go together; leave one of them out`);
}
