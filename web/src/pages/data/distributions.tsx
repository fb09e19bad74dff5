/** Shows how grids and records are spread over users. */
import { useMemo } from "preact/hooks";
import { barChart } from "../../../../src/publish/charts/index.ts";
import { formatCount, plural } from "../../format.ts";
import { Card } from "../../parts/card.tsx";
import { Drawing } from "../../parts/drawing.tsx";
import { type Bin, rangeText } from "./bins.ts";
import type { DataCounts } from "./counts.ts";

export function Distributions({ counts }: { counts: DataCounts }) {
  return (
    <>
      <Distribution
        title="Grids per user"
        lead="A user in many grids is learned about in all of them: these cost most."
        across="grids of one user"
        bins={counts.gridsPerUser}
      />
      <Distribution
        title="Records per user"
        lead="Columns widen to the right, so that few heavy users can be seen beside many light ones."
        across="records of one user"
        bins={counts.recordsPerUser}
      />
    </>
  );
}

function Distribution({
  title,
  lead,
  across,
  bins,
}: {
  title: string;
  lead: string;
  across: string;
  bins: readonly Bin[];
}) {
  const svg = useMemo(
    () =>
      barChart({
        label: `Columns: ${title.toLowerCase()}. ${bins
          .filter(({ count }) => count > 0)
          .map((bin) => `${rangeText(bin)}: ${plural(bin.count, "user")}`)
          .join("; ")}`,
        across,
        up: "users",
        bars: bins.map((bin) => ({
          tick: shortCount(bin.from),
          title: `${rangeText(bin)} ${across.split(" ")[0]}: ${plural(bin.count, "user")}`,
          value: bin.count,
        })),
        format: formatCount,
      }),
    [bins, title, across],
  );
  return (
    <Card class="half" title={title} lead={lead}>
      <Drawing svg={svg} />
    </Card>
  );
}

/** 2,000 as 2k, so that it fits beneath a column. */
function shortCount(count: number): string {
  if (count >= 1e6) return `${Math.floor(count / 1e5) / 10}M`;
  return count >= 1000 ? `${Math.floor(count / 100) / 10}k` : String(count);
}
