/** Renders the map of the page: hexagons by measure and, where there are several, by time slot or column. */
import {
  colourLegend,
  escapeMarkup,
  hexagonMap,
  isCell,
  type MapHexagon,
  type MapMeasure,
  mapMeasureStyle,
} from "../../charts/index.ts";
import type { ReleasedRow } from "../released-rows.ts";
import { formatCount } from "../text-table.ts";
import { gridText, isTypicallyUseful, layerText, numberStyle, type Shown, type View } from "./view.ts";

/** Each is a colour in every hexagon. */
const MOST_MEASURES = 12;

interface Choice extends MapMeasure {
  /** For a button. */
  readonly name: string;
  of(row: ReleasedRow): Pick<Shown, "value" | "useful"> | null;
}

/** Empty where no grid has a hexagon. */
export function mapSection(view: View): string {
  const rows = view.rows.flatMap(({ cell, ...row }) => (cell !== null && isCell(cell) ? [{ ...row, cell }] : []));
  if (rows.length === 0) return "";
  const choices = choicesOf(view, rows);
  const layers = [...new Set(rows.map((row) => layerText(row, view.shape.slot)))].sort();
  const layerOf = new Map(layers.map((layer, index) => [layer, index]));
  const hexagons = rows.map((row): MapHexagon => {
    const values = choices.map((choice) => choice.of(row));
    return {
      cell: row.cell,
      layer: layerOf.get(layerText(row, view.shape.slot)) ?? 0,
      title: titleOf(row, view),
      values: values.map((each) => each?.value ?? null),
      weak: values.map((each) => each !== null && !each.useful),
    };
  });
  const anyWeak = hexagons.some(({ weak }) => weak.includes(true));
  const anyEmpty = rows.some((row) => row.statistics === null);
  const map = hexagonMap({
    label: `Map of ${formatCount(new Set(rows.map((row) => row.cell)).size)} hexagons coloured by ${choices[0]?.label}; the table below has the numbers`,
    measures: choices,
    hexagons,
  });
  return `<figure class="map card">${radios(choices)}
<style>${choices.map((_, index) => measureStyle(index)).join("")}</style>
<div class="map-controls">${choices.length > 1 ? `<div class="switch" role="group" aria-label="What the colours show">${choices.map(({ name }, index) => `<label for="measure-${index}">${escapeMarkup(name)}</label>`).join("")}</div>` : ""}${layerSelect(layers, view)}</div>
<div class="map-body">${map}</div>
<div class="legends">${choices.map((choice, index) => `<div class="legend legend-${index}">${colourLegend(choice)}</div>`).join("")}</div>
<figcaption>${view.model === null ? "" : "Smoothed numbers are drawn towards those of other grids, as far as their noise suggests; the switch shows the published ones. "}${anyWeak ? '<span class="key">×</span> no better than publishing the middle of the range; colours span the other grids. ' : ""}${anyEmpty ? '<span class="key key-empty"></span> no statistic. ' : ""}<output id="chosen">Point at a hexagon for its numbers.</output></figcaption>
</figure>`;
}

function choicesOf(view: View, rows: readonly ReleasedRow[]): Choice[] {
  const values = view.measures.map(
    ({ short, label, style, of }): Choice => ({
      name: short,
      label,
      domain: domainOf(rows, of),
      format: style.nearest,
      of,
    }),
  );
  const smoothed = view.measures.map(({ short, label, style, of }): Choice => {
    const smoothedOf: Choice["of"] = (row) => {
      const shown = of(row);
      return shown?.modelled === undefined ? null : { value: shown.modelled.smoothed, useful: shown.useful };
    };
    return {
      name: `${short}, smoothed`,
      label: `${label}, smoothed`,
      domain: domainOf(rows, smoothedOf),
      format: style.nearest,
      of: smoothedOf,
    };
  });
  const errors = view.statistics.map(({ key, bins, kind }, index): Choice => {
    const of: Choice["of"] = (row) => {
      const released = row.statistics?.[index];
      if (released === undefined) return null;
      const [{ typical }] = released.numbers;
      return typical === undefined
        ? { value: released.error, useful: released.useful }
        : { value: typical, useful: isTypicallyUseful(released) };
    };
    const name = bins === null ? key : kind.name;
    return {
      name: `error: ${name}`,
      label: `${view.model === null ? "Guaranteed" : "Typical"} error of the ${name}${kind.unit === "squared" ? " (squared unit)" : ""}`,
      domain: domainOf(rows, of),
      format: numberStyle(rows.map((row) => (of(row)?.value ?? 0) / 10)).nearest,
      of,
    };
  });
  return [...(view.model === null ? [] : smoothed), ...values, ...errors].slice(0, MOST_MEASURES);
}

/** Of the useful grids where there are some: one that is mostly noise would flatten the others' colours. */
function domainOf(rows: readonly ReleasedRow[], of: Choice["of"]): [number, number] {
  const shown = rows.flatMap((row) => of(row) ?? []);
  const useful = shown.filter((each) => each.useful);
  const values = (useful.length > 0 ? useful : shown).map(({ value }) => value);
  if (values.length === 0) return [0, 0];
  return [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
}

function titleOf(row: ReleasedRow, { measures, confidenceText }: View): string {
  const numbers = measures.slice(0, MOST_MEASURES).map((measure) => {
    const shown = measure.of(row);
    return shown === null
      ? `${measure.label}: none`
      : `${measure.label}: ${measure.style.nearest(shown.value)} (${measure.style.down(shown.low)} to ${measure.style.up(shown.high)}, ${confidenceText})${shown.modelled === undefined ? "" : `, smoothed ${measure.style.nearest(shown.modelled.smoothed)}`}`;
  });
  return [gridText(row), ...numbers, `${formatCount(row.users)} users, ${formatCount(row.samples)} records`].join("\n");
}

function radios(choices: readonly Choice[]): string {
  return choices
    .map(
      ({ label }, index) =>
        `<input type="radio" name="measure" id="measure-${index}" aria-label="${escapeMarkup(label)}"${index === 0 ? " checked" : ""}>`,
    )
    .join("");
}

/** Radio buttons and sibling selectors: the switch needs no script. */
function measureStyle(index: number): string {
  const on = `#measure-${index}:checked`;
  return `${mapMeasureStyle(index, `${on}~.map-body`)}${on}~.legends .legend-${index}{display:block}${on}~.map-controls [for=measure-${index}]{background:var(--accent);color:var(--on-accent)}#measure-${index}:focus-visible~.map-controls [for=measure-${index}]{outline:2px solid var(--ink);outline-offset:2px}`;
}

function layerSelect(layers: readonly string[], { shape }: View): string {
  if (layers.length < 2) return layers[0] === "" ? "" : `<span class="layer">${escapeMarkup(layers[0] ?? "")}</span>`;
  const name = shape.by.length === 0 ? "Time slot" : shape.slot ? "Group and time slot" : "Group";
  return `<label class="layer">${name} <select id="layer">${layers.map((layer, index) => `<option value="${index}">${escapeMarkup(layer)}</option>`).join("")}</select></label>`;
}
