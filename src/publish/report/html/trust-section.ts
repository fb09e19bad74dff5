/** "How far can I trust this?": guaranteed errors in words, and which grids say no more than the middle of the range. */
import { Rational } from "../../../core/arithmetic/index.ts";
import { escapeMarkup } from "../../charts/index.ts";
import { emptiedSentence } from "../estimator-words.ts";
import { formatCount, formatNumber, plural } from "../text-table.ts";
import { gridText } from "./place-text.ts";
import { median, type View } from "./view.ts";

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
<div class="scroller" tabindex="0" role="region" aria-label="Guaranteed errors by statistic"><table><thead><tr><th scope="col">statistic</th><th scope="col" class="number">typical error</th><th scope="col" class="number">worst error</th><th scope="col" class="number">without data</th><th scope="col" class="number">useful grids</th></tr></thead><tbody>${view.statistics.map((_, index) => statisticLine(view, index)).join("")}</tbody></table></div>
${view.statistics.map((_, index) => weakGrids(view, index)).join("\n")}
${emptyGrids(view)}</section>`;
}

function statisticLine(view: View, index: number): string {
  const all = view.rows.flatMap((row) => row.statistics?.[index] ?? []);
  const errors = all.map(({ error }) => error);
  const worst = errors.reduce((most, error) => Math.max(most, error), 0);
  const cells = [
    formatNumber(median(errors)),
    formatNumber(worst),
    formatNumber(median(all.map(({ dataFreeError }) => dataFreeError))),
    `${formatCount(all.filter(({ useful }) => useful).length)} of ${formatCount(view.rows.length)}`,
  ];
  const { key, kind } = view.statistics[index]!;
  const unit = kind.unit === "squared" ? " (squared unit)" : "";
  return `<tr><th scope="row">${escapeMarkup(key)}${unit}</th>${cells.map((cell) => `<td class="number">${cell}</td>`).join("")}</tr>`;
}

function weakGrids(view: View, index: number): string {
  const weak = view.rows.filter((row) => row.statistics?.[index]?.useful === false);
  const key = escapeMarkup(view.statistics[index]!.key);
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
