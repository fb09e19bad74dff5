/** Lists the plans of a dataset, to choose another. */
import { useMemo } from "preact/hooks";
import { formatCount, formatNumber, formatTime } from "../../format.ts";
import { Card } from "../../parts/card.tsx";
import { SortableTable, type TableColumn } from "../../parts/sortable-table.tsx";
import { hrefOf } from "../../router.ts";
import { type KeptPlan, unitOfStatistic, usefulGridsOf, withUnit } from "./plan-words.ts";

export interface OtherPlansProps {
  readonly dataset: string;
  readonly plans: readonly KeptPlan[];
  readonly chosen: string;
  /** What analysts' questions are answered under. */
  readonly shown: string | null;
  /** By hash, how many grids are out. */
  readonly released: ReadonlyMap<string, number>;
  readonly unit: string | null;
  onChoose(hash: string): void;
}

export function OtherPlans({ dataset, plans, chosen, shown, released, unit, onChoose }: OtherPlansProps) {
  const columns = useMemo(
    (): Array<TableColumn<KeptPlan>> => [
      {
        key: "created",
        head: "made",
        by: ({ created }) => created,
        cell: ({ created }) => formatTime(created),
      },
      {
        key: "statistics",
        head: "statistics",
        by: ({ summary }) => summary.perStatistic.map(({ statistic }) => statistic).join(", "),
      },
      { key: "loss", head: "loss λ", numeric: true, by: ({ summary }) => summary.loss, cell: lossOf },
      {
        key: "error",
        head: "worst error",
        numeric: true,
        by: ({ summary }) => summary.perStatistic[0]?.worstError ?? null,
        cell: ({ summary: { perStatistic } }) =>
          perStatistic
            .map(({ statistic, worstError }) => withUnit(worstError, unitOfStatistic(statistic, unit)))
            .join("; "),
      },
      {
        key: "useful",
        head: "useful grids",
        numeric: true,
        by: ({ summary }) => usefulGridsOf(summary),
        cell: ({ summary }) => `${formatCount(usefulGridsOf(summary))} of ${formatCount(summary.grids)}`,
      },
      {
        key: "state",
        head: "state",
        by: ({ hash }) => (hash === shown ? "1" : released.has(hash) ? "2" : "3"),
        cell: ({ hash, summary: { grids } }) => (
          <>
            {(released.get(hash) ?? 0) >= grids ? (
              <span class="badge good">released</span>
            ) : (
              <span class="badge">
                {released.has(hash)
                  ? `${formatCount(released.get(hash)!)} of ${formatCount(grids)} released`
                  : "not released"}
              </span>
            )}{" "}
            {hash === shown ? <span class="badge">what analysts see</span> : null}
          </>
        ),
      },
    ],
    [shown, released, unit],
  );
  return (
    <Card
      title="Plans of this dataset"
      tools={
        <a class="button" href={hrefOf({ page: "dataset", dataset, tab: "plan" })}>
          Make another
        </a>
      }
    >
      <SortableTable
        label="Plans"
        rows={plans}
        columns={columns}
        keyOf={({ hash }) => hash}
        first={{ key: "created", descending: true }}
        chosen={chosen}
        onChoose={onChoose}
      />
    </Card>
  );
}

function lossOf({ summary }: KeptPlan): string {
  return formatNumber(summary.loss);
}
