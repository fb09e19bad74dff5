/** Shows grids with ids of two parts as a table: one part down, the other across. */

import { useMemo, useState } from "preact/hooks";
import { itemAt } from "../../../src/core/errors/index.ts";
import type { TwoWayLayout } from "./grid-layout.ts";
import { HeatCell, type HeatTableProps } from "./heat-table.tsx";

const AT_ONCE = 60;

export function TwoWayTable({
  layout,
  measure,
  grids,
  scale,
  chosen,
  onChoose,
  format,
}: HeatTableProps & { layout: TwoWayLayout }) {
  /** null: by name; otherwise by this column, largest first. */
  const [sorted, setSorted] = useState<number | null>(null);
  const [shown, setShown] = useState(AT_ONCE);
  const order = useMemo(() => {
    const rows = layout.rows.map((_, row) => row);
    if (sorted === null) return rows;
    const sizeOf = (row: number): number => grids[layout.gridAt[row]?.[sorted] ?? -1]?.value ?? -Number.MAX_VALUE;
    return rows.sort((left, right) => sizeOf(right) - sizeOf(left));
  }, [layout, grids, sorted]);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section class="scroller" tabIndex={0} aria-label={`${measure} (table)`}>
        <table class="two-way">
          <caption class="for-readers">{measure}</caption>
          <thead>
            <tr>
              <th scope="col" aria-sort={sorted === null ? "ascending" : "none"}>
                <button type="button" onClick={() => setSorted(null)}>
                  Grid
                </button>
              </th>
              {layout.columns.map((column, index) => (
                <th key={column} scope="col" class="number" aria-sort={sorted === index ? "descending" : "none"}>
                  <button type="button" onClick={() => setSorted(index)}>
                    {column}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {order.slice(0, shown).map((row) => (
              <tr key={row}>
                <th scope="row" class="id">
                  {layout.rows[row]}
                </th>
                {itemAt(layout.gridAt, row).map((index, column) => {
                  const grid = grids[index];
                  return (
                    <td key={column} class="number">
                      {grid === undefined ? null : (
                        <button
                          type="button"
                          class={grid.id === chosen ? "heat-button chosen" : "heat-button"}
                          aria-pressed={grid.id === chosen}
                          onClick={() => onChoose(grid.id === chosen ? null : grid.id)}
                        >
                          <HeatCell grid={grid} scale={scale} format={format} />
                        </button>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {order.length > shown ? (
        <button type="button" class="quiet" onClick={() => setShown(shown * 4)}>
          Show more rows: {shown} of {order.length}
        </button>
      ) : null}
    </>
  );
}
