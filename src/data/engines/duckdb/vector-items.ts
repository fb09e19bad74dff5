/** Gives a DuckDB vector of numbers as its typed array; the driver's own accessor takes a call per item. */
import type { DuckDBVector } from "@duckdb/node-api";
import { invariant } from "../../../core/errors/index.ts";

type Items = Uint32Array | Float64Array | BigUint64Array;

export function itemsOf<Kind extends Items>(
  vector: DuckDBVector,
  kind: abstract new (...parts: never[]) => Kind,
): Kind {
  const { items } = vector as unknown as { items?: unknown };
  invariant(items instanceof kind, "the driver gives a column in another form");
  return items;
}
