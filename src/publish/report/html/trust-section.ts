/** Renders "How far can I trust this?": guaranteed errors in words, and which grids say no more than the middle of the range. */
import { Rational } from "../../../core/arithmetic/index.ts";
import type { Statistic } from "../../../core/influence/index.ts";
import { escapeMarkup } from "../../charts/index.ts";
import { emptiedSentence } from "../privacy-facts.ts";
import { formatCount, formatNumber, plural } from "../text-table.ts";
import { scrolled } from "./page.ts";
import { gridText, median, type View } from "./view.ts";

const MOST_NAMES = 12;

export function trustSection(view: View): string {
  return `<section id="trust"><h2>How far can I trust this?</h2>
<p>Every number was changed on purpose by random noise${view.rows.some((row) => row.kept < row.samples) ? ", and some records were left out. Both are" : ". How much of it is"} known in advance, so the damage is known too:</p>
<ul>
<li><strong>The interval.</strong> With ${view.confidenceText} confidence the true statistic of these records lies in it, whatever the data are: it covers the noise, the worst that left-out records can have done, and the rounding of values. It holds for each number by itself; of 100 numbers about ${Rational.ONE.subtract(view.confidence).multiply(Rational.of(100)).toShortString()} may miss, on average.</li>
<li><strong>The guaranteed error.</strong> How far off a number is on average over the noise, at most, for the worst possible data.</li>
<li><strong>The data-free line.</strong> Someone who publishes the middle of the range without seeing any data errs by at most so much. A guarantee that is not below it proves nothing beyond it.</li>
${leaning(view)}</ul>
<p>Nothing here says how well these records stand for anything larger; that is a question of sampling, not of noise.</p>
${scrolled("Guaranteed errors by statistic", errorTable(view))}
${view.statistics.map((statistic, index) => weakGrids(view, statistic, index)).join("\n")}
${emptyGrids(view)}</section>`;
}

function errorTable({ rows, statistics }: View): string {
  const heads = ["typical error", "worst error", "without data", "useful grids"];
  const lines = statistics.map(({ key, kind }, index) => {
    const all = rows.flatMap((row) => row.statistics?.[index] ?? []);
    const errors = all.map(({ error }) => error);
    const cells = [
      formatNumber(median(errors)),
      formatNumber(errors.reduce((most, error) => Math.max(most, error), 0)),
      formatNumber(median(all.map(({ dataFreeError }) => dataFreeError))),
      `${formatCount(all.filter(({ useful }) => useful).length)} of ${formatCount(rows.length)}`,
    ];
    const unit = kind.unit === "squared" ? " (squared unit)" : "";
    return `<tr><th scope="row">${escapeMarkup(key)}${unit}</th>${cells.map((cell) => `<td class="number">${cell}</td>`).join("")}</tr>`;
  });
  return `<table><thead><tr><th scope="col">statistic</th>${heads.map((head) => `<th scope="col" class="number">${head}</th>`).join("")}</tr></thead><tbody>${lines.join("")}</tbody></table>`;
}

function weakGrids({ rows }: View, statistic: Statistic, index: number): string {
  const weak = rows.filter((row) => row.statistics?.[index]?.useful === false);
  const key = escapeMarkup(statistic.key);
  if (weak.length === 0)
    return `<p class="verdict good"><strong>${key}</strong>: in every grid with a statistic the guarantee is better than publishing the middle of the range.</p>`;
  const names = weak.slice(0, MOST_NAMES).map((row) => `<bdi class="id">${escapeMarkup(gridText(row))}</bdi>`);
  const more = weak.length > MOST_NAMES ? ` and ${formatCount(weak.length - MOST_NAMES)} more` : "";
  return `<p class="verdict weak"><strong>${key}</strong>: no better than publishing the middle of the range in ${plural(weak.length, "grid")}: ${names.join(", ")}${more}. Do not compare ${weak.length === 1 ? "it" : "them"} with others.</p>`;
}

/** A guarantee is about the worst case; this is about what to expect. */
function leaning({ rows, statistics }: View): string {
  const leans = statistics.find(({ kind, estimator }) => kind.hasDeviation && estimator === "centred");
  if (leans?.words.leftOut == null || rows.every((row) => row.kept === row.samples)) return "";
  return `<li><strong>A variance that leans.</strong> ${escapeMarkup(leans.words.leftOut)}</li>\n`;
}

function emptyGrids({ rows }: View): string {
  const empty = rows.filter((row) => row.kept === 0);
  if (empty.length === 0) return "";
  const words = empty.some((row) => row.statistics !== null)
    ? emptiedSentence(empty.length)
    : `No record was kept in ${plural(empty.length, "grid")}: no statistic there.`;
  return `<p class="verdict weak">${words}</p>`;
}
