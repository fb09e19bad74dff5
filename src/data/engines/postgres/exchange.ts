/** Moves small tables, results and columns between queries: temporary tables of the transaction, and COPY. */
import type { LongWorkOptions } from "../../../core/planning/index.ts";
import type { Exchange, SentColumn } from "../pipeline/exchange.ts";
import { type BinaryRow, binaryRows, textOf, wholeNumber } from "./copy.ts";
import type { GridNumbers } from "./counting.ts";
import type { Database } from "./database.ts";
import { relation } from "./dialect.ts";

const ROWS_AT_A_TIME = 2 ** 16;
const TYPES = { count: "bigint", integer: "bigint", text: "text" } as const;

/** By temporary tables of the transaction, which the planner is told the sizes of. */
export function exchangeOver(database: Database, gridNumbers: GridNumbers): Exchange {
  const analyzed = async (table: string): Promise<string> => {
    await database.run(`ANALYZE pg_temp.${table}; SET LOCAL enable_nestloop = off`);
    return `pg_temp.${table}`;
  };
  return {
    send: async (name, columns, options) => {
      const table = `veilgrid_${name}`;
      const types = columns.map((column) => `${column.name} ${TYPES[column.type]}`).join(", ");
      await database.run(`CREATE TEMP TABLE ${table} (${types}) ON COMMIT DROP`, "sending the plan", options);
      const counts = columns.flatMap(({ type, values }) => (type === "count" ? [values] : []));
      if (counts.length === columns.length) await append(database, { table, counts }, options);
      else {
        const sql = `INSERT INTO pg_temp.${table} SELECT * FROM json_to_recordset(CAST($1 AS json)) AS sent(${types})`;
        await database.rows(sql, [JSON.stringify(rowsOf(columns))], options);
      }
      return analyzed(table);
    },
    keep: async (name, sql, { step, ...options }) => {
      await database.run(`CREATE TEMP TABLE veilgrid_${name} ON COMMIT DROP AS ${sql}`, step, options);
      return analyzed(`veilgrid_${name}`);
    },
    // Sums come as text, which holds any of them.
    readSums: async ({ sql, names }, take, options) => {
      const fields = names.map((name) => `CAST(${name} AS text)`);
      const sumsOf = (row: BinaryRow): bigint[] => names.map((_, index) => BigInt(textOf(row, index)));
      await database.stream(
        `SELECT ${[...fields, ...gridNumbers.names].join(", ")} FROM ${relation(sql)}`,
        (row) => take(gridNumbers.of(row, names.length), sumsOf(row)),
        options,
      );
    },
    readColumns: async ({ from, counts, integers }, take, options) => {
      const chunk = {
        counts: counts.map(() => new Uint32Array(ROWS_AT_A_TIME)),
        integers: integers.map(() => new BigUint64Array(ROWS_AT_A_TIME)),
      };
      let rows = 0;
      const handOver = (): void => {
        const filled = <Column extends Uint32Array | BigUint64Array>(column: Column) =>
          column.subarray(0, rows) as Column;
        take({ counts: chunk.counts.map(filled), integers: chunk.integers.map(filled) });
        rows = 0;
      };
      await database.stream(
        `SELECT ${[...counts, ...integers].map((sql) => `CAST(${sql} AS bigint)`).join(", ")} FROM ${from}`,
        (row) => {
          for (const [at, column] of chunk.counts.entries()) column[rows] = wholeNumber(row, at);
          for (const [at, column] of chunk.integers.entries())
            column[rows] = row.bytes.readBigUInt64BE(row.start[counts.length + at]);
          rows += 1;
          if (rows === ROWS_AT_A_TIME) handOver();
        },
        options,
      );
      handOver();
    },
  };
}

async function append(
  database: Database,
  { table, counts }: { readonly table: string; readonly counts: readonly Uint32Array[] },
  options: LongWorkOptions,
): Promise<void> {
  const { length } = counts[0]!;
  for (let from = 0; from < length; from += ROWS_AT_A_TIME) {
    const rows = binaryRows(Math.min(ROWS_AT_A_TIME, length - from), counts.length, (row, put) => {
      for (const values of counts) put.whole(BigInt(values[from + row]!));
    });
    await database.append(table, rows, options);
  }
}

/** As text whole numbers keep all their digits. */
function rowsOf(columns: readonly SentColumn[]): Array<Record<string, string | null>> {
  return Array.from({ length: columns[0]!.values.length }, (_, row) =>
    Object.fromEntries(columns.map(({ name, values }) => [name, values[row]?.toString() ?? null])),
  );
}
