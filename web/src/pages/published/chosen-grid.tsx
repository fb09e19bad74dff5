/** Describes one grid in words: what is published of it, how sure it is, or how to ask for it. */
import type { ComponentChild } from "preact";
import { plural } from "../../format.ts";
import { Card } from "../../parts/card.tsx";
import { gridName, type Measure, type ReleasedRow } from "./released.ts";

export interface ChosenGridProps {
  readonly grid: string | null;
  /** null: it is not released. */
  readonly row: ReleasedRow | null;
  readonly measures: readonly Measure[];
  readonly confidence: string;
  readonly ask?: ((grid: string) => ComponentChild) | undefined;
}

export function ChosenGrid({ grid, row, measures, confidence, ask }: ChosenGridProps) {
  return (
    <Card title="Chosen grid" class="chosen-grid">
      {grid === null ? (
        <p class="lead">Choose a grid on the map or in the table to read what is published of it.</p>
      ) : (
        <>
          <p class="id">{gridName(grid)}</p>
          {row === null ? (ask?.(grid) ?? <p class="lead">It is not released.</p>) : null}
          {row === null ? null : <Numbers row={row} measures={measures} confidence={confidence} />}
        </>
      )}
    </Card>
  );
}

function Numbers({
  row,
  measures,
  confidence,
}: {
  row: ReleasedRow;
  measures: readonly Measure[];
  confidence: string;
}) {
  const shown = measures.flatMap((measure) => {
    const found = measure.of(row);
    return found === null ? [] : [{ measure, found }];
  });
  if (shown.length === 0) return <p class="lead">No record of it was kept, so there is no statistic.</p>;
  return (
    <>
      <dl class="figures one">
        {shown.map(({ measure: { key, label, unit = "", format }, found: { value, low, high, useful } }) => (
          <div key={key} class={useful ? undefined : "weak"}>
            <dt>{label}</dt>
            <dd>
              {format(value)} {unit}
              <small>
                between {format(low)} and {format(high)} {unit}
                {useful ? "" : "; the guarantee is no better than publishing the middle of the range"}
              </small>
            </dd>
          </div>
        ))}
      </dl>
      <p class="note">
        Each interval by itself holds the true number of these records {confidence} of the time.{" "}
        {plural(row.users, "user")}, {plural(row.samples, "record")}
        {row.kept < row.samples ? `, of which ${plural(row.kept, "record")} count in full` : ""}; these counts are exact
        and not protected.
      </p>
    </>
  );
}
