/** Renders the table of the page: sortable by every column where scripts run, readable where they do not. */
import { escapeMarkup } from "../../charts/index.ts";
import { COUNT_FIELDS, type ReleasedRow, STATISTIC_FIELDS } from "../released-rows.ts";
import { formatCount } from "../text-table.ts";
import { scrolled } from "./page.ts";
import { type Measure, numberStyle, type Shown, slotText, type View } from "./view.ts";

const MOST_ROWS = 500;

interface Cell {
  readonly shown: string;
  /** What the table is sorted by: a number, or nothing. */
  readonly order: number | null;
  readonly note?: string;
}

interface Column {
  readonly name: string;
  readonly isNumber: boolean;
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
    ({ name, isNumber }) =>
      `<th scope="col"${isNumber ? ' class="number"' : ""}><button type="button">${escapeMarkup(name)}</button></th>`,
  );
  const table = `<table class="sortable"><thead><tr>${heads.join("")}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${columns.map((column) => cellMarkup(column, row)).join("")}</tr>`).join("\n")}
</tbody></table>`;
  return `<section id="table"><h2>All numbers</h2>
<p>Ends of the ${view.confidenceText} intervals are rounded outward. ${view.model === null ? "" : "Intervals and typical errors under the model are no guarantee; those in the columns “at most” hold whatever the values are. "}Error is what is guaranteed on average over the noise, bias included.</p>${note}
${scrolled("Table of all grids", table)}</section>`;
}

function cellMarkup({ isNumber, of }: Column, row: ReleasedRow): string {
  const { shown, order, note } = of(row);
  if (!isNumber) return `<td><bdi>${escapeMarkup(shown)}</bdi></td>`;
  const flag = note === undefined ? "" : ` <abbr title="${escapeMarkup(note)}">×</abbr>`;
  return `<td class="number" data-order="${order ?? ""}">${escapeMarkup(shown)}${flag}</td>`;
}

function columnsOf(view: View): Column[] {
  const { shape } = view;
  const places = [
    ...shape.by.map((name, index) => textColumn(name, (row) => row.by[index] ?? null)),
    ...(shape.cell ? [textColumn("hexagon", (row) => row.cell)] : []),
    ...(shape.slot ? [textColumn("time slot", (row) => slotText(row.slot))] : []),
  ];
  const counts = Object.keys(COUNT_FIELDS) as Array<keyof typeof COUNT_FIELDS>;
  return [
    ...(places.length === 0 ? [textColumn("grid", (row) => row.grid)] : places),
    ...view.measures.flatMap((measure) => measureColumns(measure, view)),
    ...view.statistics.flatMap(({ key }, index) => fieldColumns(view, key, index)),
    ...counts.map((count) =>
      numberColumn(COUNT_FIELDS[count].heading, (row) => ({ shown: formatCount(row[count]), order: row[count] })),
    ),
  ];
}

function textColumn(name: string, of: (row: ReleasedRow) => string | null): Column {
  return { name, isNumber: false, of: (row) => ({ shown: of(row) ?? "(none)", order: null }) };
}

function numberColumn(name: string, of: (row: ReleasedRow) => Cell | null): Column {
  return { name, isNumber: true, of: (row) => of(row) ?? { shown: "–", order: null } };
}

function measureColumns({ short, style, of }: Measure, { model }: View): Column[] {
  const column = (name: string, cell: (shown: Shown) => Cell): Column =>
    numberColumn(name, (row) => {
      const shown = of(row);
      return shown && cell(shown);
    });
  return [
    column(short, ({ value }) => ({ shown: style.nearest(value), order: value })),
    ...(model === null ? [] : [column(`${short}: smoothed`, ({ modelled }) => smoothedCell(modelled, style))]),
    column(`${short}: interval`, ({ low, high }) => intervalCell({ low, high }, style)),
    ...(model === null
      ? []
      : [column(`${short}: at most`, ({ low, high, modelled }) => intervalCell(modelled ?? { low, high }, style))]),
  ];
}

function smoothedCell(modelled: Shown["modelled"], style: Measure["style"]): Cell {
  return modelled === undefined
    ? { shown: "–", order: null }
    : { shown: style.nearest(modelled.smoothed), order: modelled.smoothed };
}

function intervalCell({ low, high }: Pick<Shown, "low" | "high">, style: Measure["style"]): Cell {
  return { shown: `${style.down(low)} … ${style.up(high)}`, order: low };
}

/** The fields of a statistic that have a heading. */
function fieldColumns({ rows }: View, key: string, index: number): Column[] {
  return Object.entries(STATISTIC_FIELDS).flatMap(([name, field]) => {
    if (!("heading" in field)) return [];
    const of = (row: ReleasedRow): number | undefined => row.statistics?.[index]?.[name as "error"];
    const style = numberStyle(rows.map((row) => (of(row) ?? 0) / 10));
    return [
      numberColumn(`${key}: ${field.heading}`, (row) => {
        const value = of(row);
        if (value === undefined) return null;
        const cell = { shown: style.up(value), order: value };
        const isUseful = row.statistics?.[index]?.useful;
        return isUseful ? cell : { ...cell, note: "no better than publishing the middle of the range" };
      }),
    ];
  });
}
