/** The grids that are asked for as a temporary table, and the condition that a record is in one of them. */
import type { LongWorkOptions } from "../../../core/planning/index.ts";
import type { AskedGrids } from "../asked-grids.ts";
import type { Database } from "./database.ts";
import type { NativeColumn } from "./native-format.ts";
import type { KeyColumn } from "./record-sql.ts";
import { identifier, type Names } from "./sql-text.ts";
import { NO_TIME } from "./time-sql.ts";

/** Leaves a temporary table with a column `asked_by0`, … for each key of a grid; its name. */
export async function uploadAsked(
  database: Database,
  { keys, names }: { keys: readonly KeyColumn[]; names: Names },
  { columns }: AskedGrids,
  options: LongWorkOptions,
): Promise<string> {
  const valuesOf = new Map(
    columns.flatMap(({ name, isText, values }): Array<[string, NativeColumn]> => {
      if (!isText) {
        const numbers = (absent: bigint): bigint[] => values.map((value) => value ?? absent);
        return [[name, name === "cell" ? BigUint64Array.from(numbers(0n)) : BigInt64Array.from(numbers(NO_TIME))]];
      }
      return [
        [name, values.map((text) => text ?? "")],
        [`${name}_null`, Uint8Array.from(values, (text) => Number(text === null))],
      ];
    }),
  );
  const sent = gridKeys(keys).map(({ name }) => ({ name: names(`asked_${name}`), values: valuesOf.get(name)! }));
  return database.upload("asked", sent, options);
}

export function isAskedSql(keys: readonly KeyColumn[], table: string, names: Names): string {
  const asked = gridKeys(keys).map(({ name }) => names(`asked_${name}`));
  const own = gridKeys(keys).map(({ name, sql }) => `${conversionOf(name)}(${sql})`);
  return `(${own.join(", ")}) GLOBAL IN (SELECT ${asked.join(", ")} FROM ${identifier(table)})`;
}

/** All but the user. */
function gridKeys(keys: readonly KeyColumn[]): readonly KeyColumn[] {
  return keys.slice(1);
}

/** Ids are sent as text, whatever type of the table's they are grouped by; old servers compare like types only. */
function conversionOf(name: string): string {
  if (name === "cell") return "toUInt64";
  if (name === "slot") return "toInt64";
  return name.endsWith("_null") ? "toUInt8" : "toString";
}
