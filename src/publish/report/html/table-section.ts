/** The table of the page: sortable by every column where scripts run, readable where they do not. */
import { escapeMarkup } from "../../charts/index.ts";
import type { ReleasedRow } from "../released-rows.ts";
import { formatCount } from "../text-table.ts";
import { numberStyle } from "./number-style.ts";
import { slotText } from "./place-text.ts";
import type { View } from "./view.ts";

const MOST_ROWS = 500;

interface Cell {
  readonly shown: string;
  readonly order: string | number | null;
  readonly note?: string;
}

interface Column {
  readonly name: string;
  readonly number: boolean;
  of(row: ReleasedRow): Cell;
}

export function tableSection(view: View): string {
  const columns = columnsOf(view);
  const rows = view.rows.slice(0, MOST_ROWS);
  const note =
    view.rows.length > rows.length
      ? `<p class="note">The first ${formatCount(rows.length)} of ${formatCount(view.rows.length)} grids; the CSV file has all of them.</p>`
      : "";
  const heads = columns.map(
    ({ name, number }) =>
      `<th scope="col"${number ? ' class="number"' : ""}><button type="button">${escapeMarkup(name)}</button></th>`,
  );
  return `<section id="table"><h2>All numbers</h2>
<p>Ends of the ${view.confidenceText} intervals are rounded outward. Error is what is guaranteed on average over the noise, bias included.</p>${note}
<div class="scroller" tabindex="0" role="region" aria-label="Table of all grids"><table class="sortable"><thead><tr>${heads.join("")}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${columns.map((column) => cellMarkup(column, row)).join("")}</tr>`).join("\n")}
</tbody></table></div></section>`;
}

function cellMarkup({ number, of }: Column, row: ReleasedRow): string {
  const { shown, order, note } = of(row);
  if (!number) return `<td><bdi>${escapeMarkup(shown)}</bdi></td>`;
  const flag = note === undefined ? "" : ` <abbr title="${escapeMarkup(note)}">×</abbr>`;
  return `<td class="number" data-order="${order ?? ""}">${escapeMarkup(shown)}${flag}</td>`;
}

function columnsOf(view: View): Column[] {
  const text = (name: string, of: (row: ReleasedRow) => string | null): Column => ({
    name,
    number: false,
    of: (row) => ({ shown: of(row) ?? "(none)", order: null }),
  });
  const count = (name: string, of: (row: ReleasedRow) => number): Column => ({
    name,
    number: true,
    of: (row) => ({ shown: formatCount(of(row)), order: of(row) }),
  });
  const { shape } = view;
  const places = [
    ...shape.by.map((name, index) => text(name, (row) => row.by[index] ?? null)),
    ...(shape.cell ? [text("hexagon", (row) => row.cell)] : []),
    ...(shape.slot ? [text("time slot", (row) => slotText(row.slot))] : []),
  ];
  return [
    ...(places.length === 0 ? [text("grid", (row) => row.grid)] : places),
    ...view.measures.flatMap((measure): Column[] => [
      {
        name: measure.short,
        number: true,
        of: (row) => {
          const shown = measure.of(row);
          return shown === null ? NONE : { shown: measure.style.nearest(shown.value), order: shown.value };
        },
      },
      {
        name: `${measure.short}: interval`,
        number: true,
        of: (row) => {
          const shown = measure.of(row);
          if (shown === null) return NONE;
          return { shown: `${measure.style.down(shown.low)} … ${measure.style.up(shown.high)}`, order: shown.low };
        },
      },
    ]),
    ...view.statistics.map((statistic, index): Column => {
      const style = numberStyle(view.rows.flatMap((row) => (row.statistics?.[index]?.error ?? 0) / 10));
      return {
        name: `${statistic.key}: error`,
        number: true,
        of: (row) => {
          const released = row.statistics?.[index];
          if (released === undefined) return NONE;
          const cell = { shown: style.up(released.error), order: released.error };
          return released.useful ? cell : { ...cell, note: "no better than publishing the middle of the range" };
        },
      };
    }),
    count("users", (row) => row.users),
    count("records", (row) => row.samples),
    count("kept", (row) => row.kept),
  ];
}

const NONE: Cell = { shown: "–", order: null };
