/** Shows a released result as map, intervals and table, to curators and readers alike. */

import type { ComponentChild, ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { itemAt } from "../../../../src/core/errors/index.ts";
import { type IntervalPoint, intervalChart } from "../../../../src/publish/charts/index.ts";
import { formatCount, plural } from "../../format.ts";
import { areHexagons } from "../../map/grid-layout.ts";
import type { MapGrid } from "../../map/grid-map.ts";
import { GridMap } from "../../map/grid-map.tsx";
import { Card } from "../../parts/card.tsx";
import { Drawing } from "../../parts/drawing.tsx";
import { SortableTable, type TableColumn } from "../../parts/sortable-table.tsx";
import { Switch } from "../../parts/switch.tsx";
import { ChosenGrid } from "./chosen-grid.tsx";
import { ConfidenceSwitch, confidenceText } from "./confidence.tsx";
import {
  type GridNames,
  gridNames,
  type Measure,
  measuresOf,
  type Released,
  type ReleasedRow,
  widthOf,
} from "./released.ts";
import { changeSetting, settingOf } from "./use-setting.ts";

export interface ResultViewProps {
  readonly released: Released;
  readonly unit: string | null;
  readonly query: URLSearchParams;
  /** Grids that can be asked for and are not released: shown greyed. */
  readonly unreleased?: readonly string[] | undefined;
  /** For a chosen grid that is not released. */
  readonly ask?: ((grid: string) => ComponentChild) | undefined;
  /** Beside the map, below the chosen grid. */
  readonly aside?: ComponentChildren;
  /** A newer answer is on its way. */
  readonly isBusy?: boolean | undefined;
}

/** A grid of the table, with its row once it is released. */
interface Entry {
  readonly grid: string;
  readonly row: ReleasedRow | null;
}

const MOST_POINTS = 40;
/** More than these go into a list instead of a switch. */
const MOST_IN_SWITCH = 4;

export function ResultView({ released, unit, query, unreleased = [], ask, aside, isBusy }: ResultViewProps) {
  const measures = useMemo(() => measuresOf(released, unit), [released, unit]);
  const entries = useMemo(
    (): Entry[] => [
      ...released.rows.map((row) => ({ grid: row.grid, row })),
      ...unreleased.map((grid) => ({ grid, row: null })),
    ],
    [released, unreleased],
  );
  const hasMap = useMemo(() => areHexagons(entries.map(({ grid }) => grid)), [entries]);
  const names = useMemo(() => gridNames(entries.map(({ grid }) => grid)), [entries]);
  const measure = measures.find(({ key }) => key === query.get("measure")) ?? measures[0];
  const colour = settingOf(query, "colour", ["value", "width"] as const);
  const chosen = query.get("grid");
  const choose = (grid: string | null): void => changeSetting(query, { grid });
  const confidence = confidenceText(released.confidence);
  const onMap = useMemo(
    () => (measure === undefined ? [] : mapGrids(entries, { measure, colour, confidence })),
    [entries, measure, colour, confidence],
  );
  if (measure === undefined) return <p class="message">No grid of this release has a statistic.</p>;
  return (
    <div class={isBusy ? "result busy" : "result"} aria-busy={isBusy}>
      <div class="result-tools">
        <MeasureChoice measures={measures} measure={measure} query={query} />
        <ConfidenceSwitch query={query} />
      </div>
      <div class="columns">
        <Card
          class="two-thirds"
          title={hasMap ? "Map" : "Grids"}
          tools={
            <Switch
              legend="Colour"
              quiet
              options={[
                { value: "value", label: "value" },
                { value: "width", label: "interval width", title: "how far off the value may be" },
              ]}
              value={colour}
              onChange={(next) => changeSetting(query, { colour: next === "value" ? null : next })}
            />
          }
        >
          <GridMap
            measure={colour === "value" ? measure.label : `width of the ${confidence} interval of the ${measure.label}`}
            unit={measure.unit}
            grids={onMap}
            lowIsGood={colour === "width"}
            chosen={chosen}
            onChoose={choose}
            format={measure.format}
          />
        </Card>
        <div class="third stack">
          <ChosenGrid
            grid={chosen}
            row={released.rows.find(({ grid }) => grid === chosen) ?? null}
            measures={measures}
            confidence={confidence}
            ask={ask}
          />
          {aside}
        </div>
        <Card
          class="five"
          title="Values and how far off they may be"
          lead={
            <>
              The {measure.label}
              {measure.unit === undefined ? "" : ` in ${measure.unit}`}. A dot is a published value, its bar the{" "}
              {confidence} interval. The dashed line is what one would publish without looking at any data. Hollow dots:
              the guarantee is no better than that line.
            </>
          }
        >
          <Intervals rows={released.rows} measure={measure} names={names} />
        </Card>
        <Card class="seven result-table" title="Table" lead={tableLead(released.rows.length, unreleased.length, names)}>
          <ResultTable
            entries={entries}
            names={names}
            measure={measure}
            confidence={confidence}
            chosen={chosen}
            onChoose={choose}
          />
        </Card>
      </div>
    </div>
  );
}

function MeasureChoice({
  measures,
  measure,
  query,
}: {
  measures: readonly Measure[];
  measure: Measure;
  query: URLSearchParams;
}) {
  const change = (key: string): void => changeSetting(query, { measure: key === itemAt(measures, 0).key ? null : key });
  if (measures.length > MOST_IN_SWITCH)
    return (
      <label class="field">
        <span>Statistic</span>
        <select value={measure.key} onChange={(event) => change(event.currentTarget.value)}>
          {measures.map(({ key, label }) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </select>
      </label>
    );
  return (
    <Switch
      legend="Statistic"
      options={measures.map(({ key, short, label }) => ({ value: key, label: short, title: label }))}
      value={measure.key}
      onChange={change}
    />
  );
}

function mapGrids(
  entries: readonly Entry[],
  { measure, colour, confidence }: { measure: Measure; colour: "value" | "width"; confidence: string },
): MapGrid[] {
  const unit = measure.unit === undefined ? "" : ` ${measure.unit}`;
  return entries.map(({ grid, row }): MapGrid => {
    const shown = row === null ? null : measure.of(row);
    if (row === null) return { id: grid, value: null, lines: ["not released"] };
    const counts = `${plural(row.users, "user")}, ${plural(row.samples, "record")}`;
    if (shown === null) return { id: grid, value: null, lines: ["no statistic: no record was kept", counts] };
    return {
      id: grid,
      value: colour === "value" ? shown.value : widthOf(shown),
      weak: !shown.useful,
      lines: [
        `${measure.label}: ${measure.format(shown.value)}${unit}`,
        `${confidence} interval: ${measure.format(shown.low)} to ${measure.format(shown.high)}${unit}`,
        counts,
        ...(shown.useful ? [] : ["the guarantee is no better than publishing the middle of the range"]),
      ],
    };
  });
}

function Intervals({ rows, measure, names }: { rows: readonly ReleasedRow[]; measure: Measure; names: GridNames }) {
  const svg = useMemo(() => {
    const points = [...rows]
      .sort((one, other) => other.samples - one.samples)
      .flatMap((row): IntervalPoint[] => {
        const shown = measure.of(row);
        return shown === null ? [] : [{ label: names.of(row.grid), ...shown, muted: !shown.useful }];
      })
      .slice(0, MOST_POINTS)
      .sort((one, other) => other.value - one.value);
    const unit = measure.unit === undefined ? "" : ` ${measure.unit}`;
    return intervalChart({
      label: `${measure.label}${unit === "" ? "" : ` in${unit}`} of ${points.length} grids with intervals; the table has the numbers`,
      points,
      reference: { value: measure.middle, label: `no data: ${measure.format(measure.middle)}${unit}` },
      format: measure.format,
    });
  }, [rows, measure, names]);
  return (
    <>
      {rows.length > MOST_POINTS ? (
        <p class="note">
          Shown are the {MOST_POINTS} grids with most records, of {formatCount(rows.length)}.
        </p>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section class="tall" tabIndex={0} aria-label="Values with intervals (chart)">
        <Drawing svg={svg} />
      </section>
    </>
  );
}

function ResultTable({
  entries,
  names,
  measure,
  confidence,
  chosen,
  onChoose,
}: {
  entries: readonly Entry[];
  names: GridNames;
  measure: Measure;
  confidence: string;
  chosen: string | null;
  onChoose: (grid: string) => void;
}) {
  const columns = useMemo((): Array<TableColumn<Entry>> => {
    const of = ({ row }: Entry) => (row === null ? null : measure.of(row));
    const unit = measure.unit === undefined ? "" : ` (${measure.unit})`;
    const count = (key: "users" | "samples", head: string): TableColumn<Entry> => ({
      key,
      head,
      numeric: true,
      by: ({ row }) => row?.[key] ?? null,
      cell: ({ row }) => (row === null ? "–" : formatCount(row[key])),
    });
    return [
      { key: "grid", head: "grid", by: ({ grid }) => names.of(grid) },
      {
        key: "value",
        head: `${measure.short}${unit}`,
        numeric: true,
        by: (entry) => of(entry)?.value ?? null,
        cell: (entry) => {
          const shown = of(entry);
          return shown === null ? "–" : measure.format(shown.value);
        },
      },
      {
        key: "width",
        head: `${confidence} interval`,
        title: "sorted by its width",
        numeric: true,
        by: (entry) => {
          const shown = of(entry);
          return shown === null ? null : widthOf(shown);
        },
        cell: (entry) => {
          const shown = of(entry);
          return shown === null ? "–" : `${measure.format(shown.low)} to ${measure.format(shown.high)}`;
        },
      },
      {
        key: "trust",
        head: "guarantee",
        title: "better than publishing the middle of the range?",
        by: (entry) => (entry.row === null ? null : of(entry)?.useful ? "useful" : "not useful"),
        cell: (entry) =>
          entry.row === null ? (
            <span class="badge">not released</span>
          ) : of(entry)?.useful ? (
            <span class="badge good">useful</span>
          ) : (
            <span class="badge weak" title="no better than publishing the middle of the range, without data">
              not useful
            </span>
          ),
      },
      count("users", "users"),
      count("samples", "records"),
    ];
  }, [measure, confidence, names]);
  return (
    <SortableTable
      label={`Released grids: ${measure.label}`}
      rows={entries}
      columns={columns}
      keyOf={({ grid }) => grid}
      first={{ key: "value", descending: true }}
      chosen={chosen}
      onChoose={onChoose}
    />
  );
}

function tableLead(released: number, unreleased: number, { common }: GridNames): string {
  const counts = `${plural(released, "grid")} released${unreleased === 0 ? "" : `, ${formatCount(unreleased)} not`}`;
  return common === "" ? `${counts}.` : `${counts}. All of them: ${common}.`;
}
