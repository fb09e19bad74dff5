/** Shows grids on a map and in a table, with one chosen in both. */
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { formatCount, formatPercent, plural } from "../../format.ts";
import type { MapGrid } from "../../map/grid-map.ts";
import { GridMap } from "../../map/grid-map.tsx";
import { GridName, gridText, haveDays } from "../../map/grid-name.tsx";
import { Card } from "../../parts/card.tsx";
import { SortableTable, type TableColumn } from "../../parts/sortable-table.tsx";
import { Switch } from "../../parts/switch.tsx";
import { changeQuery } from "../../router.ts";
import type { GridCounts } from "./counts.ts";

type Measure = "records" | "users" | "share";

const MEASURES: ReadonlyArray<{ value: Measure; label: string; title: string }> = [
  { value: "records", label: "Records", title: "How many records each grid has" },
  { value: "users", label: "Users", title: "How many users each grid has" },
  { value: "share", label: "Largest share", title: "How much of each grid belongs to its heaviest user" },
];
const NAMES = { records: "records", users: "users", share: "largest share of one user" } as const;

const COLUMNS: ReadonlyArray<TableColumn<GridCounts>> = [
  {
    key: "records",
    head: "Records",
    numeric: true,
    by: ({ records }) => records,
    cell: ({ records }) => formatCount(records),
  },
  { key: "users", head: "Users", numeric: true, by: ({ users }) => users, cell: ({ users }) => formatCount(users) },
  {
    key: "share",
    head: "Largest share",
    title: "Of the grid's records, those of the user with most of them",
    numeric: true,
    by: ({ largestShare }) => largestShare,
    cell: ({ largestShare }) => formatPercent(largestShare),
  },
];

/** Beside the map, and beside the table. */
export interface GridCardsProps {
  readonly grids: readonly GridCounts[];
  readonly query: URLSearchParams;
  readonly besideMap: ComponentChildren;
  readonly between: ComponentChildren;
  readonly besideTable: ComponentChildren;
}

export function GridCards({ grids, query, besideMap, between, besideTable }: GridCardsProps) {
  const measure = MEASURES.find(({ value }) => value === query.get("by"))?.value ?? "records";
  const chosen = grids.some(({ id }) => id === query.get("grid")) ? query.get("grid") : null;
  const change = (name: string, value: string | null): void => {
    const next = new URLSearchParams(query);
    if (value === null) next.delete(name);
    else next.set(name, value);
    changeQuery(next, "replace");
  };
  const days = useMemo(() => haveDays(grids.map(({ id }) => id)), [grids]);
  const shown = useMemo(() => grids.map((grid) => mapGrid(grid, measure, days)), [grids, measure, days]);
  const columns = useMemo(
    (): ReadonlyArray<TableColumn<GridCounts>> => [
      { key: "grid", head: "Grid", by: ({ id }) => id, cell: ({ id }) => <GridName id={id} days={days} /> },
      ...COLUMNS,
    ],
    [days],
  );
  const format = measure === "share" ? formatPercent : formatWhole;
  return (
    <>
      <Card
        class="two-thirds"
        title="Where the records are"
        tools={
          <Switch
            legend="Coloured by"
            quiet
            options={MEASURES}
            value={measure}
            onChange={(value) => change("by", value === "records" ? null : value)}
          />
        }
      >
        <GridMap
          measure={NAMES[measure]}
          grids={shown}
          chosen={chosen}
          onChoose={(id) => change("grid", id)}
          format={format}
        />
      </Card>
      {besideMap}
      {between}
      <Card class="two-thirds" title="Every grid" lead="Choose one to find it above.">
        <SortableTable
          label="Records and users by grid"
          rows={grids}
          columns={columns}
          keyOf={({ id }) => id}
          first={{ key: "records", descending: true }}
          chosen={chosen}
          onChoose={(id) => change("grid", id)}
        />
      </Card>
      {besideTable}
    </>
  );
}

function mapGrid(grid: GridCounts, measure: Measure, days: boolean): MapGrid {
  const { id, records, users, largestShare } = grid;
  return {
    id,
    value: measure === "share" ? largestShare : grid[measure],
    lines: [
      gridText(id, days),
      `${plural(records, "record")} of ${plural(users, "user")}`,
      `largest share of one user ${formatPercent(largestShare)}`,
    ],
  };
}

function formatWhole(value: number): string {
  return formatCount(Math.round(value));
}
