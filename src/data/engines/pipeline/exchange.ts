/** The seam between queries: small tables are sent in, results are kept for later queries, sums are read out. */
import { type LongWorkOptions, throwIfCancelled } from "../../../core/planning/index.ts";

/** A column of a small table. A count is below 2³², an integer has 64 bits. */
export type SentColumn = { readonly name: string } & (
  | { readonly type: "count"; readonly values: Uint32Array }
  | { readonly type: "integer"; readonly values: ReadonlyArray<bigint | null> }
  | { readonly type: "text"; readonly values: ReadonlyArray<string | null> }
);

/** Some rows of a table, valid until the next ones come. */
export interface ColumnChunk {
  readonly counts: readonly Uint32Array[];
  readonly integers: readonly BigUint64Array[];
}

/**
 * An engine with sessions makes temporary tables. One without them may write what is sent as literals or into a file, and keep a
 * result as a view or a file: all that queries see is the text that names it after FROM.
 */
export interface Exchange {
  /** Puts a small table where queries find it; what they call it. */
  send(name: string, columns: readonly SentColumn[], options: LongWorkOptions): Promise<string>;
  /** Lets a query's result stay for later ones; what they call it. */
  keep(name: string, sql: string, options: LongWorkOptions & { readonly step?: string }): Promise<string>;
  /** Hands over the rows of a query that gives sums by grid: the grid's number, and the sums named, in this order. */
  readSums(
    query: { readonly sql: string; readonly names: readonly string[] },
    take: (grid: number, sums: readonly bigint[]) => void,
    options: LongWorkOptions,
  ): Promise<void>;
  /** Hands over a table's rows in chunks, by column: expressions that are counts, below 2³², and integers below 2⁶³. */
  readColumns(
    query: { readonly from: string; readonly counts: readonly string[]; readonly integers: readonly string[] },
    take: (chunk: ColumnChunk) => void,
    options: LongWorkOptions,
  ): Promise<void>;
}

/** Work that `cancel` stops when the signal says so; whatever it then fails with, it was cancelled. */
export async function cancellable<Result>(
  signal: AbortSignal | undefined,
  cancel: () => void,
  work: () => Promise<Result>,
): Promise<Result> {
  throwIfCancelled(signal);
  signal?.addEventListener("abort", cancel);
  try {
    return await work();
  } catch (error) {
    throwIfCancelled(signal);
    throw error;
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
}
