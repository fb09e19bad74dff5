/** Renders "How far can I trust this?": guaranteed errors in words, and which grids say no more than the middle of the range. */
import { Rational } from "../../../core/arithmetic/index.ts";
import type { Statistic } from "../../../core/influence/index.ts";
import { escapeMarkup } from "../../charts/index.ts";
import { emptiedSentence } from "../privacy-facts.ts";
import { formatCount, formatNumber, plural } from "../text-table.ts";
import { scrolled } from "./page.ts";
import { gridText, isTypicallyUseful, median, type View } from "./view.ts";

const MOST_NAMES = 12;

export function trustSection(view: View): string {
  return view.model === null ? guaranteedSection(view) : balancedSection(view, view.model);
}

function guaranteedSection(view: View): string {
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

/** Of a balanced plan: what to expect first, then what is guaranteed. */
function balancedSection(view: View, model: string): string {
  const passes =
    view.result.passes === 2
      ? " Where values lie was learnt in a first pass of noisy numbers; values far from there count as if they lay nearer, which the guarantee allows for."
      : "";
  return `<section id="trust"><h2>How far can I trust this?</h2>
<p>Every number was changed on purpose by random noise, and users were weighted so that less of it is needed.${passes}</p>
<ul>
<li><strong>The typical error.</strong> What to expect, noise and weights together, assuming that ${escapeMarkup(model)}. It is not a promise: on the records tried it lay between half and twice the true errors.</li>
<li><strong>The ${view.intervalText}.</strong> Where the true statistic of these records lies ${view.confidenceText} of the time, under the same assumption. It holds for each number by itself.</li>
<li><strong>The smoothed number.</strong> The published number drawn towards those of other grids, as far as its noise suggests: nearer to the truth where noise is large and grids are alike, a little farther where grids truly differ.</li>
<li><strong>At most.</strong> The interval and the error in the columns “at most” and “error” are guaranteed: they hold whatever the values are, and are wide for that reason.</li>
<li><strong>The data-free line.</strong> Someone who publishes the middle of the range without seeing any data errs by at most so much.</li>
</ul>
<p>Nothing here says how well these records stand for anything larger; that is a question of sampling, not of noise.</p>
${scrolled("Errors by statistic", typicalTable(view))}
${view.statistics.map((statistic, index) => weakGrids(view, statistic, index)).join("\n")}</section>`;
}

function typicalTable({ rows, statistics }: View): string {
  const lines = statistics.map((statistic, index) => {
    const all = rows.flatMap((row) => row.statistics?.[index] ?? []);
    const typical = all.map(({ numbers: [first] }) => first.typical ?? 0);
    return errorLine(statistic, [
      formatNumber(median(typical)),
      formatNumber(largest(typical)),
      formatNumber(largest(all.map(({ error }) => error))),
      formatNumber(median(all.map(({ dataFreeError }) => dataFreeError))),
    ]);
  });
  return tableOf(["typical error", "worst grid", "guaranteed, worst grid", "without data"], lines);
}

function errorTable({ rows, statistics }: View): string {
  const lines = statistics.map((statistic, index) => {
    const all = rows.flatMap((row) => row.statistics?.[index] ?? []);
    const errors = all.map(({ error }) => error);
    return errorLine(statistic, [
      formatNumber(median(errors)),
      formatNumber(largest(errors)),
      formatNumber(median(all.map(({ dataFreeError }) => dataFreeError))),
      `${formatCount(all.filter(({ useful }) => useful).length)} of ${formatCount(rows.length)}`,
    ]);
  });
  return tableOf(["median error", "worst error", "without data", "useful grids"], lines);
}

function largest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

function errorLine({ key, kind }: Statistic, cells: readonly string[]): string {
  const unit = kind.unit === "squared" ? " (squared unit)" : "";
  return `<tr><th scope="row">${escapeMarkup(key)}${unit}</th>${cells.map((cell) => `<td class="number">${cell}</td>`).join("")}</tr>`;
}

function tableOf(heads: readonly string[], lines: readonly string[]): string {
  return `<table><thead><tr><th scope="col">statistic</th>${heads.map((head) => `<th scope="col" class="number">${head}</th>`).join("")}</tr></thead><tbody>${lines.join("")}</tbody></table>`;
}

function weakGrids({ rows, model }: View, statistic: Statistic, index: number): string {
  const weak = rows.filter(({ statistics }) => {
    const own = statistics?.[index];
    return own !== undefined && !(model === null ? own.useful : isTypicallyUseful(own));
  });
  const what = model === null ? "guarantee" : "typical error";
  const key = escapeMarkup(statistic.key);
  if (weak.length === 0)
    return `<p class="verdict good"><strong>${key}</strong>: in every grid with a statistic the ${what} is better than publishing the middle of the range.</p>`;
  const names = weak.slice(0, MOST_NAMES).map((row) => `<bdi class="id">${escapeMarkup(gridText(row))}</bdi>`);
  const more = weak.length > MOST_NAMES ? ` and ${formatCount(weak.length - MOST_NAMES)} more` : "";
  return `<p class="verdict weak"><strong>${key}</strong>: ${model === null ? "" : "typically "}no better than publishing the middle of the range in ${plural(weak.length, "grid")}: ${names.join(", ")}${more}. Do not compare ${weak.length === 1 ? "it" : "them"} with others.</p>`;
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
