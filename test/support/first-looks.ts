/** First looks at rows and at CSV text, and what may not be in them. */

import { expect } from "vitest";
import type { Sample } from "../../src/data/sources/cell-patterns.ts";
import { sniffCsv } from "../../src/data/sources/csv-dialect.ts";
import { columnsOf, type SourceDescription } from "../../src/data/sources/description.ts";
import { type ColumnLook, type FirstLook, firstLook } from "../../src/data/sources/guess-columns.ts";

export function look(rows: ReadonlyArray<Record<string, Sample>>, columns = columnsOf(rows)): FirstLook {
  const description: SourceDescription = {
    source: "records",
    files: [],
    table: null,
    rows,
    isComplete: true,
    columns,
    kind: "csv",
  };
  return firstLook(description);
}

export function lookAtCsv(text: string): FirstLook {
  const { dialect, rows } = sniffCsv(text, true);
  const objects = rows.map((row) =>
    Object.fromEntries(dialect.columns.map((column, index) => [column, row[index] ?? null])),
  );
  return look(objects, [...dialect.columns]);
}

export const columnOf = (look: FirstLook, name: string): ColumnLook =>
  look.columns.find((column) => column.name === name)!;

/** None of these texts is anywhere in what a command would print. */
export function expectHidden(look: FirstLook, secrets: readonly string[]): void {
  const printed = JSON.stringify(look);
  for (const secret of secrets) expect(printed).not.toContain(secret);
}
