/** Shows the users with most records by rank, without their names. */
import { formatCount, formatPercent } from "../../format.ts";
import { Card } from "../../parts/card.tsx";
import { SortableTable, type TableColumn } from "../../parts/sortable-table.tsx";
import type { DataCounts, HeavyUser } from "./counts.ts";

const COLUMNS: ReadonlyArray<TableColumn<HeavyUser>> = [
  { key: "rank", head: "User", by: ({ rank }) => rank, cell: ({ rank }) => `#${rank}` },
  {
    key: "records",
    head: "Records",
    numeric: true,
    by: ({ records }) => records,
    cell: ({ records }) => formatCount(records),
  },
  {
    key: "share",
    head: "Of all",
    title: "Of all records of the dataset",
    numeric: true,
    by: ({ share }) => share,
    cell: ({ share }) => formatPercent(share),
  },
  { key: "grids", head: "Grids", numeric: true, by: ({ grids }) => grids, cell: ({ grids }) => formatCount(grids) },
];

export function HeaviestUsers({ counts }: { counts: DataCounts }) {
  return (
    <Card title="Heaviest users" lead="By rank, never by name.">
      <SortableTable
        label="Users with most records"
        rows={counts.heaviest}
        columns={COLUMNS}
        keyOf={({ rank }) => `#${rank}`}
      />
    </Card>
  );
}
