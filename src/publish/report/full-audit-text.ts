/** The full audit for a terminal: every attack beside its claim, questions grid by grid, planted mistakes, and a verdict. */
import { formatCount, formatNumber, textTable } from "./text-table.ts";

export interface FullAuditFacts {
  readonly confidence: number;
  readonly confidenceEach: number;
  readonly runs: number;
  readonly engine: string;
  readonly cases: ReadonlyArray<{
    readonly strategy: string;
    readonly estimator: string;
    readonly published: string;
    readonly name: string;
    readonly claim: number;
    readonly demonstrated: number;
    readonly atBest: number;
    readonly tight: boolean;
    readonly broken: boolean;
    readonly totalsAsExpected: boolean;
  }>;
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
    readonly broken: boolean;
  };
  readonly planted: ReadonlyArray<{
    readonly mistake: string;
    readonly claim: number;
    readonly demonstrated: number;
    readonly found: boolean;
  }>;
  readonly broken: boolean;
  readonly blind: boolean;
}

export function fullAuditText(facts: FullAuditFacts): string {
  const { adaptive } = facts;
  return [
    `Records of two datasets that differ in one user's values, through the engine (${facts.engine}), exact statistics and noise.`,
    "",
    textTable(
      [
        ["strategy", "estimator", "statistics", "attacked", "claimed ε", "shown", "of it", "at best", ""],
        ...facts.cases.map((one) => [
          one.strategy,
          one.estimator,
          publishedText(one.published),
          one.name,
          formatNumber(one.claim),
          formatNumber(one.demonstrated),
          percent(one.demonstrated / one.claim),
          formatNumber(one.atBest),
          !one.totalsAsExpected ? "TOTALS DIFFER" : one.broken ? "BROKEN" : one.tight ? "" : "cannot be attained",
        ]),
      ],
      ["left", "left", "left", "left", "right", "right", "right", "right", "left"],
    ),
    "",
    `An analyst asks for grids of two overlapping releases, one by one, each question twice; the answers decide the next. Budget ${formatNumber(adaptive.budget)}.`,
    "",
    textTable(
      [
        ["charged the user", "transcripts", "shown", "of it", ""],
        ...adaptive.byCharge.map(({ charge, share, event, broken }) => [
          formatNumber(charge),
          percent(share),
          formatNumber(event.epsilon),
          percent(event.epsilon / charge),
          broken ? "BROKEN" : "",
        ]),
      ],
      ["right", "right", "right", "right", "left"],
    ),
    "",
    `  ${formatCount(2 * adaptive.runs)} sessions, ${formatCount(adaptive.questions)} questions in ${formatCount(adaptive.orders)} orders, ${formatCount(adaptive.refused)} refused by the budget;`,
    `  asked again: ${formatCount(adaptive.changedAnswers)} other answers; charged twice, wrongly or above the budget: ${formatCount(adaptive.misCharged)} sessions`,
    "",
    "Mistakes planted in all this, attacked the same way:",
    "",
    plantedText(facts.planted),
    "",
    `  each attack: ${formatCount(facts.runs)} draws from each dataset, sessions fewer; a fifth of them choose the event, the others test it`,
    `  at best: what so many draws of these two datasets show on average; a true claim is called broken with probability at most ${formatNumber(1 - facts.confidenceEach)} per attack`,
    "",
    verdict(facts),
    "",
  ].join("\n");
}

/** Mistakes that were planted, and whether they were found. */
export function plantedText(planted: FullAuditFacts["planted"]): string {
  return textTable(
    [
      ["mistake", "claimed ε", "shown", ""],
      ...planted.map(({ mistake, claim, demonstrated, found }) => [
        mistake,
        formatNumber(claim),
        formatNumber(demonstrated),
        found ? "found" : "NOT FOUND",
      ]),
    ],
    ["left", "right", "right", "left"],
  );
}

function verdict({ broken, blind, confidence, cases }: FullAuditFacts): string {
  if (broken) return "Verdict: BROKEN. More was demonstrated than is claimed; do not release anything with this build.";
  if (blind) return "Verdict: the audit is BLIND: it did not find a planted mistake. Repeat it with more --runs.";
  const least = Math.min(...cases.map(({ demonstrated, atBest }) => demonstrated / atBest));
  return (
    `Verdict: none of ${formatCount(cases.length)} claims was refuted (a sound build is called broken in at most ${formatNumber(100 * (1 - confidence))} % of audits), ` +
    `every planted mistake was found, and every attack showed at least ${percent(least)} of what so many draws can show on average.`
  );
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** Three or more are all there are. */
function publishedText(published: string): string {
  const { length } = published.split(",");
  return length > 2 ? `all ${length}` : published;
}
