/** Renders what an attacker could demonstrate beside what is claimed, for a terminal: the short audit and the full one. */
import { columnTable, formatCount, formatNumber, lines, plural, wholePercent } from "./text-table.ts";

interface AttackFacts {
  readonly name: string;
  readonly claim: number;
  readonly demonstrated: number;
  readonly atBest: number;
  readonly tight: boolean;
  readonly broken: boolean;
}

export interface AuditFacts {
  readonly confidence: number;
  readonly runs: number;
  readonly attacks: readonly AttackFacts[];
  readonly ledger: {
    readonly releases: number;
    readonly changedAnswers: number;
    readonly chargedTwice: number;
    readonly consistent: boolean;
    readonly broken: boolean;
  };
  readonly broken: boolean;
}

export interface FullAuditFacts {
  /** That a sound build is not called broken. */
  readonly confidence: number;
  /** Of each attack: a union bound over all of them. */
  readonly confidenceEach: number;
  readonly runs: number;
  readonly engine: string;
  readonly cases: ReadonlyArray<
    AttackFacts & {
      readonly strategy: string;
      readonly estimator: string;
      readonly published: string;
      readonly totalsAsExpected: boolean;
    }
  >;
  readonly adaptive: {
    readonly runs: number;
    readonly budget: number;
    readonly byCharge: ReadonlyArray<{
      readonly charge: number;
      readonly share: number;
      readonly event: { readonly epsilon: number };
      readonly broken: boolean;
    }>;
    readonly orders: number;
    readonly questions: number;
    readonly refused: number;
    readonly changedAnswers: number;
    readonly misCharged: number;
  };
  readonly planted: ReadonlyArray<{
    readonly mistake: string;
    readonly claim: number;
    readonly demonstrated: number;
    readonly found: boolean;
  }>;
  readonly broken: boolean;
  /** A planted mistake was not found: the audit says nothing then. */
  readonly blind: boolean;
}

const BAR_WIDTH = 30;
const BROKEN = "Verdict: BROKEN. More was demonstrated than is claimed; do not release anything with this build.";

export function auditText({ attacks, ledger, runs, broken, confidence }: AuditFacts): string {
  const longest = Math.max(...attacks.flatMap(({ claim, demonstrated }) => [claim, demonstrated]));
  const cells = (value: number): number => Math.round((BAR_WIDTH * value) / longest);
  const books = ledger.broken
    ? `BROKEN: ${formatCount(ledger.changedAnswers)} changed answers, ${formatCount(ledger.chargedTwice)} charged twice, books ${ledger.consistent ? "consistent" : "not consistent"}`
    : "the same bytes every time, charged once, books consistent";
  return lines(
    "One user flips every value it has, in all its grids; the attacker sees what is published and tells the two datasets apart.",
    "",
    columnTable(attacks, [
      ["attack", "left", ({ name }) => name],
      ["claimed ε", "right", ({ claim }) => formatNumber(claim)],
      ["shown", "right", ({ demonstrated }) => formatNumber(demonstrated)],
      ["of it", "right", ({ demonstrated, claim }) => wholePercent(demonstrated / claim)],
      ["at best", "right", ({ atBest }) => formatNumber(atBest)],
      [
        "█ shown, ░ claimed",
        "left",
        ({ claim, demonstrated }) =>
          "█".repeat(cells(demonstrated)) + "░".repeat(Math.max(0, cells(claim) - cells(demonstrated))),
      ],
      ["", "left", attackVerdict],
    ]),
    "",
    `  shown: the largest ε that the runs demonstrate; at best: what so many runs of these two datasets show on average`,
    `  whole releases were drawn ${formatCount(runs)} times from each of the two datasets, single numbers half as often`,
    `  ${plural(ledger.releases, "release")} asked for twice under one key: ${books}`,
    "",
    broken ? BROKEN : `Verdict: no claim was refuted ${falseAlarms(confidence)}.`,
    "",
  ).join("\n");
}

function attackVerdict({ broken, tight }: AttackFacts): string {
  return broken ? "BROKEN" : tight ? "" : "cannot be attained";
}

function falseAlarms(confidence: number): string {
  return `(a sound build is called broken in at most ${formatNumber(100 * (1 - confidence))} % of audits)`;
}

export function fullAuditText(facts: FullAuditFacts): string {
  const { adaptive } = facts;
  return lines(
    `Records of two datasets that differ in one user's values, through the engine (${facts.engine}), exact statistics and noise.`,
    "",
    columnTable(facts.cases, [
      ["strategy", "left", ({ strategy }) => strategy],
      ["estimator", "left", ({ estimator }) => estimator],
      ["statistics", "left", ({ published }) => publishedText(published)],
      ["attacked", "left", ({ name }) => name],
      ["claimed ε", "right", ({ claim }) => formatNumber(claim)],
      ["shown", "right", ({ demonstrated }) => formatNumber(demonstrated)],
      ["of it", "right", ({ demonstrated, claim }) => wholePercent(demonstrated / claim)],
      ["at best", "right", ({ atBest }) => formatNumber(atBest)],
      ["", "left", (each) => (each.totalsAsExpected ? attackVerdict(each) : "TOTALS DIFFER")],
    ]),
    "",
    `An analyst asks for grids of two overlapping releases, one by one, each question twice; the answers decide the next. Budget ${formatNumber(adaptive.budget)}.`,
    "",
    columnTable(adaptive.byCharge, [
      ["charged the user", "right", ({ charge }) => formatNumber(charge)],
      ["transcripts", "right", ({ share }) => wholePercent(share)],
      ["shown", "right", ({ event }) => formatNumber(event.epsilon)],
      ["of it", "right", ({ event, charge }) => wholePercent(event.epsilon / charge)],
      ["", "left", ({ broken }) => (broken ? "BROKEN" : "")],
    ]),
    "",
    `  ${formatCount(2 * adaptive.runs)} sessions, ${formatCount(adaptive.questions)} questions in ${formatCount(adaptive.orders)} orders, ${formatCount(adaptive.refused)} refused by the budget;`,
    `  asked again: ${formatCount(adaptive.changedAnswers)} other answers; charged twice, wrongly or above the budget: ${formatCount(adaptive.misCharged)} sessions`,
    "",
    "Mistakes planted in all this, attacked the same way:",
    "",
    plantedText(facts.planted),
    "",
    `  each attack: ${formatCount(facts.runs)} draws from each dataset, of balanced plans and sessions a fifth of it; a fifth of them choose the event, the others test it`,
    `  at best: what so many draws of these two datasets show on average; a true claim is called broken with probability at most ${formatNumber(1 - facts.confidenceEach)} per attack`,
    "",
    fullVerdict(facts),
    "",
  ).join("\n");
}

/** Mistakes that were planted, and whether they were found. */
export function plantedText(planted: FullAuditFacts["planted"]): string {
  return columnTable(planted, [
    ["mistake", "left", ({ mistake }) => mistake],
    ["claimed ε", "right", ({ claim }) => formatNumber(claim)],
    ["shown", "right", ({ demonstrated }) => formatNumber(demonstrated)],
    ["", "left", ({ found }) => (found ? "found" : "NOT FOUND")],
  ]);
}

function fullVerdict({ broken, blind, confidence, cases }: FullAuditFacts): string {
  if (broken) return BROKEN;
  if (blind) return "Verdict: the audit is BLIND: it did not find a planted mistake. Repeat it with more --runs.";
  const least = Math.min(...cases.map(({ demonstrated, atBest }) => demonstrated / atBest));
  return (
    `Verdict: none of ${formatCount(cases.length)} claims was refuted ${falseAlarms(confidence)}, ` +
    `every planted mistake was found, and every attack showed at least ${wholePercent(least)} of what so many draws can show on average.`
  );
}

/** Three or more are all there are. */
function publishedText(published: string): string {
  const { length } = published.split(",");
  return length > 2 ? `all ${length}` : published;
}
