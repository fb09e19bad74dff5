/** Shows the plan grid by grid: on the map, in a table, and what a number of the chosen grid could look like. */

import { useMemo } from "preact/hooks";
import { statisticName } from "../../../../src/core/influence/index.ts";
import { formatCount, formatNumber, formatPercent } from "../../format.ts";
import { offBy, type Worth, widestOf, worthOf } from "../../how-far-off.ts";
import type { MapGrid } from "../../map/grid-map.ts";
import { GridMap } from "../../map/grid-map.tsx";
import { GridName, gridText, haveDays } from "../../map/grid-name.tsx";
import { Card } from "../../parts/card.tsx";
import { NoiseDots } from "../../parts/dot-plot.tsx";
import { SortableTable, type TableColumn } from "../../parts/sortable-table.tsx";
import { Switch } from "../../parts/switch.tsx";
import type { PlanView } from "../../planner/messages.ts";
import { statisticOf, unitOf } from "../../statistics.ts";
import type { Choices, MapMeasure } from "./choices.ts";
import type { ErrorUnit } from "./units.ts";

type GridRow = PlanView["perGrid"][number];

export interface GridsProps {
  readonly plan: PlanView | undefined;
  readonly choices: Choices;
  readonly unit: ErrorUnit;
  readonly valueUnit: string | null;
  readonly bounds: readonly [low: number, high: number];
  onChange(changes: Partial<Choices>, settled: boolean): void;
}

const MEASURES = [
  { value: "error", label: "guaranteed error" },
  { value: "dropped", label: "records dropped" },
  { value: "noise", label: "noise" },
] as const;

export function Grids({ plan, choices, unit, valueUnit, bounds, onChange }: GridsProps) {
  const [statistic = "mean"] = choices.statistics.split(",");
  const ownUnit = unitOf(statistic, valueUnit);
  const { map, grid } = choices;
  const choose = (id: string | null): void => onChange({ grid: id === grid ? null : id }, false);
  const rows = plan?.perGrid ?? [];
  const days = useMemo(() => haveDays(rows.map((row) => row.grid)), [rows]);
  const mapGrids = useMemo(
    () => rows.map((row) => mapGrid(row, { map, unit, statistic, days })),
    [rows, map, unit, statistic, days],
  );
  const chosen = rows.find((row) => row.grid === grid) ?? widestOf(rows, statistic);
  const columns = useMemo(
    () => columnsOf(choices.statistics, valueUnit, { bounds: [bounds[0], bounds[1]], days }),
    [choices.statistics, valueUnit, bounds[0], bounds[1], days],
  );
  return (
    <>
      <Card
        title="Where it is exact, where it is not"
        class="two-thirds"
        tools={
          <Switch
            legend="Colour by"
            quiet
            options={MEASURES}
            value={map}
            onChange={(value) => onChange({ map: value }, false)}
          />
        }
      >
        <GridMap
          measure={measureName(map, statistic)}
          unit={map === "error" ? unit.suffix : map === "dropped" ? "%" : ownUnit}
          grids={mapGrids}
          domain={domainOf(map, plan, unit, statistic)}
          lowIsGood
          chosen={grid}
          onChoose={choose}
          format={(value) => formatNumber(value)}
        />
      </Card>
      <Card
        title="What a number could look like"
        class="third"
        lead={chosen === undefined ? "\u00a0" : <Supposed row={chosen} isChosen={chosen.grid === grid} days={days} />}
      >
        {chosen === undefined || chosen.kept === 0 ? (
          <p class="note">Nothing of this grid is kept: the middle of the range is published, without noise.</p>
        ) : (
          <NoiseDots
            label={statisticName(statistic)}
            center={centreOf(statistic, bounds)}
            scale={chosen.scales[statistic] ?? 0}
            bias={chosen.bias[statistic] ?? 0}
            bounds={rangeOf(statistic, bounds)}
            unit={ownUnit === "" ? undefined : ownUnit}
          />
        )}
      </Card>
      <Card title="Grid by grid">
        <SortableTable
          label="The plan, grid by grid"
          rows={rows}
          columns={columns}
          keyOf={(row) => row.grid}
          first={{ key: "error", descending: true }}
          chosen={grid}
          onChoose={choose}
        />
      </Card>
    </>
  );
}

const WORTH_WORDS = {
  useful: "19 times in 20 nearer than the middle of the range could be off",
  rough: "better on average than the middle of the range, but a single number can be as far off",
  "no better": "no better than publishing the middle of the range",
} as const;

function WorthBadge({ worth }: { worth: Worth }) {
  return (
    <span class={worth === "useful" ? "badge good" : "badge weak"} title={WORTH_WORDS[worth]}>
      {worth}
    </span>
  );
}

function Supposed({ row, isChosen, days }: { row: GridRow; isChosen: boolean; days: boolean }) {
  return (
    <>
      {isChosen ? "" : "Where a number can be farthest off, "}
      <span title={row.grid}>{gridText(row.grid, days)}</span>: {formatCount(row.users)} users,{" "}
      {formatCount(row.samples)} records.
    </>
  );
}

interface Measured {
  readonly map: MapMeasure;
  readonly unit: ErrorUnit;
  readonly statistic: string;
  /** Slots are whole days. */
  readonly days: boolean;
}

function mapGrid(row: GridRow, { map, unit, statistic, days }: Measured): MapGrid {
  const dropped = 1 - row.kept / row.samples;
  const scale = row.scales[statistic];
  const value =
    map === "error"
      ? row.error === null
        ? null
        : row.error * unit.factor
      : map === "dropped"
        ? 100 * dropped
        : row.kept === 0 || scale === undefined
          ? null
          : scale;
  return {
    id: row.grid,
    value,
    weak: !row.useful,
    lines: [
      gridText(row.grid, days),
      `guaranteed error ${row.error === null ? "none: nothing is kept" : unit.format(row.error)}${row.useful ? "" : " (no better than midpoints)"}`,
      `${formatCount(row.kept)} of ${formatCount(row.samples)} records kept, ${formatPercent(dropped)} dropped`,
      `${formatCount(row.users)} users`,
    ],
  };
}

function measureName(map: MapMeasure, statistic: string): string {
  if (map === "error") return "guaranteed error";
  return map === "dropped" ? "records dropped" : `noise of the ${statisticName(statistic)}`;
}

function domainOf(
  map: MapMeasure,
  plan: PlanView | undefined,
  unit: ErrorUnit,
  statistic: string,
): readonly [number, number] {
  if (map === "dropped") return [0, 100];
  if (map === "error") return [0, (plan?.dataFreeError ?? 1) * unit.factor];
  return [0, Math.max(...(plan?.perGrid ?? []).map((row) => row.scales[statistic] ?? 0), 1e-12)];
}

/** A number to suppose: there is none to look at. */
function centreOf(statistic: string, bounds: readonly [number, number]): number {
  const [low, high] = rangeOf(statistic, bounds);
  return (low + high) / 2;
}

function rangeOf(statistic: string, bounds: readonly [number, number]): readonly [number, number] {
  const [low, high] = statisticOf(statistic, bounds)?.range(1) ?? [];
  return [low?.toNumberNearest() ?? bounds[0], high?.toNumberNearest() ?? bounds[1]];
}

function columnsOf(
  statistics: string,
  valueUnit: string | null,
  { bounds, days }: { readonly bounds: readonly [number, number]; readonly days: boolean },
): ReadonlyArray<TableColumn<GridRow>> {
  const keys = statistics.split(",");
  const each = keys.map((key): TableColumn<GridRow> => {
    const own = unitOf(key, valueUnit);
    return {
      key: `of-${key}`,
      head: `${statisticName(key)} off by${own === "" ? "" : `, ${own}`}`,
      title: "on average at worst: worst bias plus expected noise",
      numeric: true,
      by: (row) => row.statisticErrors[key] ?? NaN,
      cell: (row) => formatNumber(row.statisticErrors[key] ?? NaN),
    };
  });
  const within = keys.slice(0, 1).map((key): TableColumn<GridRow> => {
    const own = unitOf(key, valueUnit);
    return {
      key: `within-${key}`,
      head: `19 in 20 within ±${own === "" ? "" : `, ${own}`}`,
      title: `how far off the ${statisticName(key)} is 19 times in 20, noise and dropped records together`,
      numeric: true,
      by: (row) => offBy(row, key) ?? NaN,
      cell: (row) => formatNumber(offBy(row, key) ?? NaN),
    };
  });
  return [
    { key: "grid", head: "grid", by: (row) => row.grid, cell: (row) => <GridName id={row.grid} days={days} /> },
    { key: "users", head: "users", numeric: true, by: (row) => row.users, cell: (row) => formatCount(row.users) },
    {
      key: "samples",
      head: "records",
      numeric: true,
      by: (row) => row.samples,
      cell: (row) => formatCount(row.samples),
    },
    {
      key: "kept",
      head: "kept",
      numeric: true,
      by: (row) => row.kept / row.samples,
      cell: (row) => formatPercent(row.kept / row.samples, 3),
    },
    ...each,
    ...within,
    {
      key: "error",
      head: keys.length > 1 ? "of midpoints’ error" : "of midpoints’",
      title: "guaranteed error as a share of what publishing midpoints would give",
      numeric: true,
      by: (row) => (row.error === null ? null : row.error / row.dataFreeError),
      cell: (row) => (row.error === null ? "–" : formatPercent(row.error / row.dataFreeError, 3)),
    },
    {
      key: "useful",
      head: "verdict",
      by: (row) => worthOf(row, keys, bounds),
      cell: (row) => <WorthBadge worth={worthOf(row, keys, bounds)} />,
    },
  ];
}
