/** What an attacker could demonstrate, beside what is claimed: a chart and a verdict for a terminal. */
import { formatCount, formatNumber, plural, textTable } from "./text-table.ts";

export interface AuditFacts {
  readonly confidence: number;
  readonly runs: number;
  readonly attacks: ReadonlyArray<{
    readonly name: string;
    readonly claim: number;
    readonly demonstrated: number;
    readonly atBest: number;
    readonly tight: boolean;
    readonly statistics: number;
    readonly broken: boolean;
  }>;
  readonly ledger: {
    readonly releases: number;
    readonly changedAnswers: number;
    readonly chargedTwice: number;
    readonly consistent: boolean;
    readonly broken: boolean;
  };
  readonly broken: boolean;
}

const BAR_WIDTH = 30;

export function auditText(facts: AuditFacts): string {
  const longest = Math.max(...facts.attacks.flatMap(({ claim, demonstrated }) => [claim, demonstrated]));
  const rows = facts.attacks.map((attack) => [
    attack.name,
    formatNumber(attack.claim),
    formatNumber(attack.demonstrated),
    `${Math.round((100 * attack.demonstrated) / attack.claim)} %`,
    formatNumber(attack.atBest),
    bar(attack, longest),
    attack.broken ? "BROKEN" : attack.tight ? "" : "cannot be attained",
  ]);
  const { ledger } = facts;
  const books = ledger.broken
    ? `BROKEN: ${formatCount(ledger.changedAnswers)} changed answers, ${formatCount(ledger.chargedTwice)} charged twice, books ${ledger.consistent ? "consistent" : "not consistent"}`
    : "the same bytes every time, charged once, books consistent";
  return [
    "One user flips every value it has, in all its grids; the attacker sees what is published and tells the two datasets apart.",
    "",
    textTable(
      [["attack", "claimed ε", "shown", "of it", "at best", "█ shown, ░ claimed", ""], ...rows],
      ["left", "right", "right", "right", "right", "left", "left"],
    ),
    "",
    `  shown: the largest ε that the runs demonstrate; at best: what so many runs of these two datasets show on average`,
    `  whole releases were drawn ${formatCount(facts.runs)} times from each of the two datasets, single numbers half as often`,
    `  ${plural(ledger.releases, "release")} asked for twice under one key: ${books}`,
    "",
    facts.broken
      ? "Verdict: BROKEN. More was demonstrated than is claimed; do not release anything with this build."
      : `Verdict: no claim was refuted (a sound build is called broken in at most ${formatNumber(100 * (1 - facts.confidence))} % of audits).`,
    "",
  ].join("\n");
}

function bar({ claim, demonstrated }: { claim: number; demonstrated: number }, longest: number): string {
  const cells = (value: number): number => Math.round((BAR_WIDTH * value) / longest);
  const shown = cells(demonstrated);
  return "█".repeat(shown) + "░".repeat(Math.max(0, cells(claim) - shown));
}
