/** The figures as data, for pages that draw them themselves: docs/figures/figures.json. */

/** As in the CSV files. */
const DIGITS = 8;

/** Compact, and the same bytes for the same reproduction. */
export function figureData({ command, figures, findings }, sentencesOf) {
  const found = findings.map((each) => ({ subject: each.subject, name: each.name, sentences: sentencesOf(each) }));
  const shown = figures.map(({ id, set, kind, subject, chart, columns, claim, seen }) => ({
    id,
    set,
    kind,
    subject,
    chart,
    columns,
    claim,
    seen,
  }));
  return `${JSON.stringify({ command, figures: shown, findings: found }, rounded)}\n`;
}

function rounded(_, value) {
  return typeof value === "number" && Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) : value;
}
