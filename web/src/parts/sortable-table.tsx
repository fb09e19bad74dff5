/** Shows a table whose columns sort, with only as many rows drawn as a reader would look at. */

import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { itemAt } from "../../../src/core/errors/index.ts";
import { formatCount } from "../format.ts";

export interface TableColumn<Row> {
  readonly key: string;
  readonly head: ComponentChildren;
  /** What the column means, on hover. */
  readonly title?: string | undefined;
  readonly numeric?: boolean | undefined;
  /** What is sorted by; null goes last. */
  by(row: Row): number | string | null;
  /** What is shown; the sort value if absent. */
  cell?(row: Row): ComponentChildren;
}

export interface SortableTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: ReadonlyArray<TableColumn<Row>>;
  keyOf(row: Row): string;
  readonly first?: { readonly key: string; readonly descending: boolean } | undefined;
  readonly chosen?: string | null | undefined;
  onChoose?: ((key: string) => void) | undefined;
}

const AT_ONCE = 60;

export function SortableTable<Row>(props: SortableTableProps<Row>) {
  const { label, rows, columns, keyOf, chosen, onChoose } = props;
  const [order, setOrder] = useState(props.first ?? { key: itemAt(columns, 0).key, descending: false });
  const [shown, setShown] = useState(AT_ONCE);
  const sorted = useMemo(() => {
    const column = columns.find(({ key }) => key === order.key) ?? itemAt(columns, 0);
    return [...rows].sort((left, right) => compare(column.by(left), column.by(right), order.descending));
  }, [rows, columns, order]);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section class="scroller" tabIndex={0} aria-label={`${label} (table)`}>
        <table>
          <caption class="for-readers">{label}</caption>
          <thead>
            <tr>
              {columns.map(({ key, head, title, numeric }) => (
                <th
                  key={key}
                  scope="col"
                  title={title}
                  class={numeric ? "number" : undefined}
                  aria-sort={order.key !== key ? "none" : order.descending ? "descending" : "ascending"}
                >
                  <button
                    type="button"
                    onClick={() =>
                      setOrder(({ key: before, descending }) => ({
                        key,
                        descending: before === key ? !descending : numeric === true,
                      }))
                    }
                  >
                    {head}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, shown).map((row) => {
              const key = keyOf(row);
              return (
                <tr
                  key={key}
                  class={chosen === key ? "chosen" : undefined}
                  onClick={onChoose === undefined ? undefined : () => onChoose(key)}
                >
                  {columns.map((column, index) => {
                    const content = column.cell?.(row) ?? column.by(row);
                    return (
                      <td key={column.key} class={column.numeric ? "number" : undefined}>
                        {index === 0 && onChoose !== undefined ? (
                          <button
                            type="button"
                            class="row"
                            aria-pressed={chosen === key}
                            onClick={(event) => {
                              event.stopPropagation();
                              onChoose(key);
                            }}
                          >
                            {content}
                          </button>
                        ) : (
                          content
                        )}
                      </td>
                    );
                  })}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      {sorted.length > shown ? (
        <button type="button" class="quiet" onClick={() => setShown(shown * 4)}>
          Show more: {formatCount(shown)} of {formatCount(sorted.length)}
        </button>
      ) : null}
    </>
  );
}

function compare(left: number | string | null, right: number | string | null, descending: boolean): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  const order =
    typeof left === "number" && typeof right === "number" ? left - right : String(left).localeCompare(String(right));
  return descending ? -order : order;
}
