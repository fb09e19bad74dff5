/** Reads and writes the rows of a ledger file by prepared statements. */
import type Database from "libsql";
import { SqlState, type SqlValue, StoredRow } from "./sql-state.ts";
import type { StoredText } from "./store.ts";
import { DamagedRow, lossUnits, readOrDamaged } from "./store-failures.ts";
import { escaped, unescaped } from "./stored-text.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export class SqliteState extends SqlState {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();

  constructor(database: Database.Database) {
    super({ prefix: "", order: "id", idColumns: ["part"] });
    this.#database = database;
  }

  async texts(dataset: string, key: string, parts: readonly string[]): Promise<Map<string, StoredText>> {
    const texts = new Map<string, StoredText>();
    for (const part of parts) {
      const which = "WHERE dataset = $1 AND key = $2 AND part = $3 AND text IS NOT NULL";
      const [row] = await this.select("parts", ["text", "sha256"], which, [dataset, key, escaped(part)]);
      if (row !== undefined) texts.set(part, { text: row.text("text"), sha256: row.textOrNull("sha256") });
    }
    return texts;
  }

  async balances(dataset: string, users: readonly string[]): Promise<bigint[]> {
    // One call for all of them: crossing into native code once per user would take most of the time.
    const found = await this.#json(
      `SELECT CAST(json_group_array(balances.units) AS BLOB) AS found FROM json_each($1) AS asked
       LEFT JOIN balances ON balances.dataset = $2 AND balances.user = asked.value`,
      [JSON.stringify(users.map(escaped)), dataset],
    );
    return found.map((units) => lossUnits(units ?? "0"));
  }

  putBalances(dataset: string, balances: ReadonlyMap<string, bigint>): Promise<void> {
    return this.send(
      `INSERT INTO balances SELECT $1, value ->> 0, value ->> 1 FROM json_each($2) WHERE true
       ON CONFLICT (dataset, user) DO UPDATE SET units = excluded.units`,
      [dataset, JSON.stringify([...balances].map(([user, units]) => [escaped(user), String(units)]))],
    );
  }

  /** `+user` is there for the same reason as `+line` in `linesAfter`. */
  async balancesAfter(dataset: string, user: string | undefined, limit: number): Promise<Array<[string, bigint]>> {
    const isAfter = user === undefined ? ">=" : ">";
    const found = await this.#json(
      `SELECT CAST(json_group_array(json_array(user, units)) AS BLOB) AS found FROM
       (SELECT user, units FROM balances WHERE dataset = $1 AND user ${isAfter} $2 AND +user ${isAfter} $2 ORDER BY user LIMIT $3)`,
      [dataset, escaped(user ?? ""), limit],
    );
    return (found as Array<[unknown, unknown]>).map(([id, units]) => [unescapedId(id), lossUnits(units)]);
  }

  /** Looking up goes by indexes, looking through does not: a damaged page can make them differ. */
  async isSound(): Promise<boolean> {
    const rows = await this.query("SELECT CAST(integrity_check AS BLOB) AS found FROM pragma_integrity_check(1)", []);
    return rows.map((row) => row.text("found")).join() === "ok";
  }

  protected async query(sql: string, values: readonly SqlValue[]): Promise<StoredRow[]> {
    return this.#prepared(sql).all(values).map(sqliteRow);
  }

  protected async send(sql: string, values: readonly SqlValue[]): Promise<void> {
    this.#prepared(sql).run(values.map((value) => (typeof value === "boolean" ? Number(value) : value)));
  }

  protected selected(column: string): string {
    return asBytes(column);
  }

  protected storedId(given: string): readonly string[] {
    return [escaped(given)];
  }

  protected givenId(row: StoredRow): string {
    return unescapedId(row.text("part"));
  }

  /** The one list that a query gives. */
  async #json(sql: string, values: readonly SqlValue[]): Promise<unknown[]> {
    const [row] = await this.query(sql, values);
    return readOrDamaged(() => JSON.parse(row?.text("found") ?? "") as unknown[]);
  }

  #prepared(sql: string): Database.Statement {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql.replaceAll("$", "?"));
    this.#statements.set(sql, statement);
    return statement;
  }
}

/**
 * Selects a column as bytes under its own name. The driver ends the whole process over a text that is not UTF-8, and a damaged
 * file may hold anything anywhere. To order by such a column, say whose it is.
 */
export function asBytes(column: string): string {
  return `CAST(${column} AS BLOB) AS ${column}`;
}

/** Of a row as the driver gives it, all columns selected so. */
export function sqliteRow(row: unknown): StoredRow {
  const cells = row as Readonly<Record<string, ArrayBuffer | null>>;
  return new StoredRow((column) => {
    const cell = cells[column] ?? null;
    return cell === null ? null : readOrDamaged(() => utf8.decode(cell));
  });
}

function unescapedId(stored: unknown): string {
  if (typeof stored !== "string") throw new DamagedRow();
  return readOrDamaged(() => unescaped(stored));
}
