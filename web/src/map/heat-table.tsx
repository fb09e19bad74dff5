/** Shows grids as a table whose cells have the colours of a map: for grids without a place, and for readers who prefer tables. */
import { useMemo } from "preact/hooks";
import { SortableTable, type TableColumn } from "../parts/sortable-table.tsx";
import { type ColourScale, colourOf, inkOn } from "./colour-scale.ts";
import type { MapGrid } from "./grid-map.ts";
import { GridName, haveDays } from "./grid-name.tsx";

export interface HeatTableProps {
  /** With unit. */
  readonly measure: string;
  readonly grids: readonly MapGrid[];
  readonly scale: ColourScale;
  readonly chosen: string | null;
  onChoose(id: string | null): void;
  format(value: number): string;
}

export function HeatTable({ measure, grids, scale, chosen, onChoose, format }: HeatTableProps) {
  const days = useMemo(() => haveDays(grids.map(({ id }) => id)), [grids]);
  const columns = useMemo(
    (): ReadonlyArray<TableColumn<MapGrid>> => [
      {
        key: "grid",
        head: "Grid",
        by: ({ id }) => id,
        cell: ({ id }) => <GridName id={id} days={days} />,
      },
      {
        key: "value",
        head: measure,
        numeric: true,
        by: ({ value }) => value,
        cell: (grid) => <HeatCell grid={grid} scale={scale} format={format} />,
      },
    ],
    [measure, scale, format, days],
  );
  return (
    <SortableTable
      label={measure}
      rows={grids}
      columns={columns}
      keyOf={({ id }) => id}
      first={{ key: "value", descending: true }}
      chosen={chosen}
      onChoose={onChoose}
    />
  );
}

export function HeatCell({
  grid: { value, weak, lines },
  scale,
  format,
}: Pick<HeatTableProps, "scale" | "format"> & { grid: MapGrid }) {
  const colour = colourOf(value, scale);
  const style = colour === null ? undefined : `background:${colour};color:${inkOn(colour)}`;
  return (
    <span class={colour === null ? "heat none" : "heat"} style={style} title={lines.join("\n")}>
      {value === null ? "–" : format(value)}
      {weak ? <b title="not to be relied on"> ×</b> : null}
    </span>
  );
}
