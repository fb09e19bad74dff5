/** Shows a dataset in a few numbers. */
import { formatCount, formatNumber, formatPercent, plural } from "../../format.ts";
import { Card } from "../../parts/card.tsx";
import { Figures } from "../../parts/figures.tsx";
import type { DataCounts } from "./counts.ts";

/** A grid of which one user has so much says more about that user than about the grid. */
const MUCH = 0.5;

export function Totals({ counts, notes }: { counts: DataCounts; notes: readonly string[] }) {
  const { users, grids, records, meanGrids, mostGrids, mostOfOne } = counts;
  return (
    <Card title="In numbers">
      <Figures
        facts={[
          { name: "Users", value: formatCount(users), note: "people, cards or vehicles" },
          { name: "Grids", value: formatCount(grids.length), note: "each gets its own statistics" },
          { name: "Records", value: formatCount(records), note: `${formatNumber(records / users)} per user` },
          { name: "Grids per user", value: formatNumber(meanGrids), note: "on average" },
          { name: "Most grids of one user", value: formatCount(mostGrids), note: `of ${formatCount(grids.length)}` },
          {
            name: "Largest share of one user",
            value: formatPercent(mostOfOne.largestShare),
            note: `of the ${plural(mostOfOne.records, "record")} of one grid`,
            tone: mostOfOne.largestShare >= MUCH ? "weak" : undefined,
          },
        ]}
      />
      {notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
    </Card>
  );
}
