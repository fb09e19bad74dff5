/** Renders the top of the page, which is its printed first sheet: what this is, key figures, the map, one paragraph. */
import { escapeMarkup } from "../../charts/index.ts";
import { privacyFacts } from "../privacy-facts.ts";
import { releaseTitle } from "../release-context.ts";
import { formatCount, plural } from "../text-table.ts";
import { mapSection } from "./map-section.ts";
import { halfWidths, median, totalOf, type View } from "./view.ts";

const LOGO =
  '<svg class="logo" viewBox="0 0 32 36" aria-hidden="true"><path d="M16 1.5 30 9.7v16.6L16 34.5 2 26.3V9.7z" fill="var(--accent)"/><path d="M16 9.5 23.5 14v8L16 26.5 8.5 22v-8z" fill="none" stroke="var(--on-accent)" stroke-width="2.4" stroke-dasharray="5 2.4"/></svg>';

/** Longer ones are set smaller, to stay on one line. */
const LONG_FIGURE = 8;

export function coverSection(view: View): string {
  const { result } = view;
  return `<section class="cover"><header>${LOGO}<div><h1><bdi>${escapeMarkup(releaseTitle(result))}</bdi></h1>
<p class="lead">${lead(view)}</p>${descriptionOf(view)}</div></header>
${keyFigures(view)}
${mapSection(view)}
<p class="summary">${summary(view)}</p>
<p class="origin">Release <bdi>${escapeMarkup(result.key)}</bdi> · ${escapeMarkup(result.reservedAt)} · ${escapeMarkup(result.tool)} · plan ${escapeMarkup(result.plan.slice(0, 16))}…</p>
</section>`;
}

function descriptionOf({ result: { about } }: View): string {
  return about?.description === undefined ? "" : `\n<p class="lead"><bdi>${escapeMarkup(about.description)}</bdi></p>`;
}

function lead({ result, valueName, shape }: View): string {
  const what = result.notPrivate
    ? "Statistics with noise that anybody can subtract"
    : "Statistics with user-level differential privacy";
  const where = [
    ...(shape.cell ? ["hexagon"] : []),
    ...shape.by.map((column) => `<bdi>${escapeMarkup(column)}</bdi>`),
    ...(shape.slot ? ["time slot"] : []),
  ];
  return `${what}: ${result.statistics.map(escapeMarkup).join(", ")} of <bdi>${escapeMarkup(valueName)}</bdi>${where.length === 0 ? " per grid" : ` per ${where.join(" and ")}`}.`;
}

function keyFigures(view: View): string {
  const { result } = view;
  const withRecords = view.rows.filter((row) => row.kept > 0).length;
  const [kept, samples] = [totalOf(view.rows, "kept"), totalOf(view.rows, "samples")];
  const facts = privacyFacts(result);
  const [measure] = view.measures;
  const reach = median(halfWidths(view.rows, measure.of));
  const figures: Array<[figure: string, name: string, note: string]> = [
    [
      formatCount(withRecords),
      withRecords === 1 ? "grid" : "grids",
      withRecords < view.rows.length
        ? `of ${formatCount(view.rows.length)}; the others have no kept record`
        : "with a published statistic",
    ],
    [formatCount(result.users), "users", result.notPrivate ? "nobody is protected" : "whose values are protected"],
    [
      formatCount(samples),
      "records",
      view.model === null
        ? `${((100 * kept) / Math.max(1, samples)).toFixed(1)} % of them used`
        : "each user's averaged, then weighted",
    ],
    [`± ${measure.style.up(reach)}`, `typical margin, ${measure.short}`, `half a ${view.intervalText}`],
    [
      result.notPrivate ? "none" : `λ ${result.loss.toDecimalUp(2)}`,
      "privacy loss",
      result.notPrivate ? "NOT PRIVATE" : `50 % guess becomes ${facts.loss.guessesRightAtMostPercent} % at most`,
    ],
  ];
  return `<dl class="figures">${figures
    .map(
      ([figure, name, note]) =>
        `<div class="card"><dt>${escapeMarkup(name)}</dt><dd${figure.length > LONG_FIGURE ? ' class="long"' : ""}>${escapeMarkup(figure)}<small>${escapeMarkup(note)}</small></dd></div>`,
    )
    .join("")}</dl>`;
}

function summary(view: View): string {
  const { result, rows, measures, intervalText, model } = view;
  const facts = privacyFacts(result);
  const [first] = measures;
  const weak = rows.filter((row) => first.of(row)?.useful === false).length;
  const what = model === null ? "the guarantee" : "the typical error";
  const trust =
    weak === 0
      ? `For the ${escapeMarkup(first.short)} ${what} beats publishing the middle of the range in every grid.`
      : `In ${plural(weak, "grid")} ${what} for the ${escapeMarkup(first.short)} is no better than publishing the middle of the range; they are marked ×.`;
  const noise = result.notPrivate
    ? "Each number carries noise that can be subtracted again"
    : "Each number carries random noise that hides what any one user contributed, in all grids together";
  return `${noise}, and stands with a ${intervalText}${model === null && rows.some((row) => row.kept < row.samples) ? " that also covers records left out" : ""}. ${trust} ${escapeMarkup(facts.loss.inWords)} Counts of users and records are exact and are not protected.`;
}
