/** Shows releases over time: how the largest loss grew under the budget, and each release in a table. */

import { useMemo } from "preact/hooks";
import { stepChart } from "../../../../src/publish/charts/index.ts";
import { formatCount, formatNumber, formatTime } from "../../format.ts";
import { Card } from "../../parts/card.tsx";
import { Drawing } from "../../parts/drawing.tsx";
import { WEB_THEME } from "../../parts/live-chart/web-theme.ts";
import { SortableTable, type TableColumn } from "../../parts/sortable-table.tsx";
import { hrefOf } from "../../router.ts";
import { historyOf, readable } from "./history.ts";
import type { ReleaseStanding, Standing } from "./standing.ts";

export function Releases({ standing }: { standing: Standing }) {
  const { dataset, releases, loss, budget } = standing;
  const svg = useMemo(() => {
    const { spent, budget: budgets } = historyOf(standing);
    return stepChart(
      {
        label: `The largest loss of any user over time: now ${formatNumber(loss)} of ${formatNumber(budget)}`,
        steps: spent.map((step) => ({ ...step, title: `${formatTime(iso(step.at))}: ${readable(step.title)}` })),
        limits: budgets,
        limitName: "budget",
        until: Date.now(),
        format: (value) => formatNumber(value),
        formatTime: (at) => formatTime(iso(at)),
      },
      WEB_THEME,
    );
  }, [standing]);
  const columns = useMemo(
    (): Array<TableColumn<ReleaseStanding>> => [
      { key: "created", head: "when", by: ({ created }) => created, cell: ({ created }) => formatTime(created) },
      { key: "key", head: "key", by: ({ key }) => key, cell: ({ key }) => <span class="id">{readable(key)}</span> },
      {
        key: "plan",
        head: "plan",
        by: ({ planHash }) => planHash,
        cell: ({ planHash }) => (
          <a class="id" href={hrefOf({ page: "dataset", dataset, tab: "release" }, { plan: planHash })}>
            {planHash.slice(0, 12)}
          </a>
        ),
      },
      {
        key: "state",
        head: "state",
        by: ({ state }) => state,
        cell: ({ state, pending }) =>
          pending.length > 0 ? (
            <span class="badge weak">{formatCount(pending.length)} unfinished</span>
          ) : state === "committed" ? (
            <span class="badge good">released</span>
          ) : (
            <span class="badge">given up</span>
          ),
      },
      {
        key: "loss",
        head: "loss λ",
        numeric: true,
        title: "of the user it charges most",
        by: ({ loss: own }) => own,
        cell: ({ loss: own }) => formatNumber(own, 4),
      },
      {
        key: "grids",
        head: "grids",
        numeric: true,
        by: ({ committed }) => committed,
        cell: ({ committed }) => formatCount(committed),
      },
    ],
    [dataset],
  );
  return (
    <Card
      title="Releases over time"
      lead="The line is the most that any one user can have lost by then; its last step is exact."
    >
      <Drawing svg={svg} class="steps" />
      {releases.length === 0 ? (
        <p class="lead">
          Nothing is released yet.{" "}
          <a href={hrefOf({ page: "dataset", dataset, tab: "release" })}>See what a release would cost</a>.
        </p>
      ) : (
        <SortableTable
          label="Releases"
          rows={releases}
          columns={columns}
          keyOf={({ key }) => key}
          first={{ key: "created", descending: true }}
        />
      )}
    </Card>
  );
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
