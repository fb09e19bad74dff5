/** Reads and writes the rows of a ledger in SQL tables: every statement that SQLite and PostgreSQL share. */

import type {
  DatasetRow,
  JournalRow,
  LedgerState,
  PartRow,
  PartState,
  ReleaseRow,
  ReservationRow,
  StoredText,
} from "./store.ts";
import { DamagedRow, lossUnits, positiveUnits } from "./store-failures.ts";

export type SqlValue = string | number | boolean | null | ReadonlyArray<string | null>;

/** Where the two databases' tables differ. */
export interface SqlTables {
  /** What stands before a table's name. */
  readonly prefix: string;
  /** The column that numbers datasets, releases and parts in the order they were made. */
  readonly order: string;
  /** The columns that hold the id of a part; the first is its key. */
  readonly idColumns: readonly string[];
}

/** A row whose cells are read as text. A cell that no ledger writes is damaged. */
export class StoredRow {
  readonly #cell: (column: string) => string | null;

  constructor(cell: (column: string) => string | null) {
    this.#cell = cell;
  }

  textOrNull(column: string): string | null {
    return this.#cell(column);
  }

  text(column: string): string {
    const text = this.#cell(column);
    if (text === null) throw new DamagedRow();
    return text;
  }

  /** Columns that are called as their fields. */
  texts<const Name extends string>(...columns: readonly Name[]): Record<Name, string> {
    return Object.fromEntries(columns.map((column) => [column, this.text(column)])) as Record<Name, string>;
  }

  /** A whole number, not below 0. */
  count(column: string): number {
    const text = this.text(column);
    const count = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(count)) throw new DamagedRow();
    return count;
  }
}

/** The key that a row may have already, and the columns that change then. */
interface Known {
  readonly key: string;
  readonly changes: readonly string[];
}

const LINE = ["line", "text", "hash"];
const RELEASE = ["dataset", "key", "plan_hash", "header", "created"];
const OF_RELEASE = "WHERE dataset = $1 AND key = $2";

export abstract class SqlState implements LedgerState {
  readonly #tables: SqlTables;
  /** The statement by which a table's rows are put, by table: there may be thousands of parts. */
  readonly #inserts = new Map<string, string>();

  constructor(tables: SqlTables) {
    this.#tables = tables;
  }

  abstract texts(dataset: string, key: string, parts: readonly string[]): Promise<Map<string, StoredText>>;
  abstract balances(dataset: string, users: readonly string[]): Promise<bigint[]>;
  abstract putBalances(dataset: string, balances: ReadonlyMap<string, bigint>): Promise<void>;
  abstract balancesAfter(dataset: string, user: string | undefined, limit: number): Promise<Array<[string, bigint]>>;
  abstract isSound(): Promise<boolean>;

  /** Statements number their parameters $1, $2, … */
  protected abstract query(sql: string, values: readonly SqlValue[]): Promise<StoredRow[]>;
  protected abstract send(sql: string, values: readonly SqlValue[]): Promise<void>;
  /** How a column is selected so that it can be read as text. */
  protected abstract selected(column: string): string;
  /** The cells of `idColumns`. */
  protected abstract storedId(given: string): readonly (string | null)[];
  protected abstract givenId(row: StoredRow): string;

  async datasets(): Promise<DatasetRow[]> {
    const columns = ["name", "budget", "created", "users_key_check"];
    const rows = await this.select("datasets", columns, `ORDER BY datasets.${this.#tables.order}`);
    return rows.map((row) => ({
      ...row.texts("name", "created"),
      budget: positiveUnits(row.text("budget")),
      usersKeyCheck: row.textOrNull("users_key_check"),
    }));
  }

  putDataset({ name, budget, created, usersKeyCheck }: DatasetRow): Promise<void> {
    const row = { name, budget: String(budget), created, users_key_check: usersKeyCheck };
    return this.#put("datasets", row, { key: "name", changes: ["budget"] });
  }

  async releases(dataset: string): Promise<ReleaseRow[]> {
    const which = `WHERE dataset = $1 ORDER BY releases.${this.#tables.order}`;
    return (await this.select("releases", RELEASE, which, [dataset])).map(releaseRow);
  }

  async release(dataset: string, key: string): Promise<ReleaseRow | undefined> {
    return (await this.select("releases", RELEASE, OF_RELEASE, [dataset, key])).map(releaseRow)[0];
  }

  putRelease({ dataset, key, planHash, header, created }: ReleaseRow): Promise<void> {
    return this.#put("releases", { dataset, key, plan_hash: planHash, header, created });
  }

  async parts(dataset: string, key: string): Promise<PartRow[]> {
    const columns = ["dataset", "key", ...this.#tables.idColumns, "state", "reservation", "sha256"];
    const which = `${OF_RELEASE} ORDER BY parts.${this.#tables.order}`;
    return (await this.select("parts", columns, which, [dataset, key])).map((row) => ({
      ...row.texts("dataset", "key"),
      part: this.givenId(row),
      state: partState(row.text("state")),
      reservation: row.count("reservation"),
      sha256: row.textOrNull("sha256"),
    }));
  }

  putPart({ dataset, key, part, state, reservation, sha256 }: PartRow, text?: string): Promise<void> {
    const { idColumns } = this.#tables;
    const cells = this.storedId(part);
    const id = Object.fromEntries(idColumns.map((column, index) => [column, cells[index] ?? null]));
    return this.#put(
      "parts",
      { dataset, key, ...id, state, reservation, sha256, text: text ?? null },
      { key: `dataset, key, ${idColumns[0]}`, changes: ["state", "reservation", "sha256", "text"] },
    );
  }

  async reservations(dataset: string, key: string): Promise<ReservationRow[]> {
    const columns = ["id", "dataset", "key", "chunks", "users", "largest", "refunded"];
    const rows = await this.select("reservations", columns, `${OF_RELEASE} ORDER BY reservations.id`, [dataset, key]);
    return rows.map((row) => ({
      id: row.count("id"),
      ...row.texts("dataset", "key"),
      chunks: row.count("chunks"),
      users: row.count("users"),
      largest: lossUnits(row.text("largest")),
      refunded: flag(row.text("refunded")),
    }));
  }

  putReservation({ largest, ...row }: ReservationRow): Promise<void> {
    return this.#put("reservations", { ...row, largest: String(largest) }, { key: "id", changes: ["refunded"] });
  }

  async charges(reservation: number, chunk: number): Promise<string | undefined> {
    const which = "WHERE reservation = $1 AND chunk = $2";
    const [row] = await this.select("charges", ["text"], which, [reservation, chunk]);
    return row?.text("text");
  }

  putCharges(reservation: number, chunk: number, text: string): Promise<void> {
    return this.#put("charges", { reservation, chunk, text });
  }

  async lastLine(): Promise<JournalRow | undefined> {
    return (await this.select("journal", LINE, "ORDER BY journal.line DESC LIMIT 1")).map(journalRow)[0];
  }

  /** `+line` compares each row once more by itself: a damaged index may lead back to earlier lines for ever. */
  async linesAfter(line: number, limit: number): Promise<JournalRow[]> {
    const which = "WHERE line > $1 AND +line > $1 ORDER BY journal.line LIMIT $2";
    return (await this.select("journal", LINE, which, [line, limit])).map(journalRow);
  }

  appendLine({ line, text, hash }: JournalRow): Promise<void> {
    return this.#put("journal", { line, text, hash });
  }

  protected select(
    table: string,
    columns: readonly string[],
    which: string,
    values: readonly SqlValue[] = [],
  ): Promise<StoredRow[]> {
    const cells = columns.map((column) => this.selected(column)).join(", ");
    return this.query(`SELECT ${cells} FROM ${this.table(table)} ${which}`, values);
  }

  protected table(name: string): string {
    return this.#tables.prefix + name;
  }

  /** Inserts a row, or changes these columns of the one with the same key. */
  #put(table: string, row: Readonly<Record<string, SqlValue>>, known?: Known): Promise<void> {
    const sql = this.#inserts.get(table) ?? this.#insert(table, Object.keys(row), known);
    this.#inserts.set(table, sql);
    return this.send(sql, Object.values(row));
  }

  #insert(table: string, columns: readonly string[], known: Known | undefined): string {
    const places = columns.map((_, at) => `$${at + 1}`).join(", ");
    const insert = `INSERT INTO ${this.table(table)} (${columns.join(", ")}) VALUES (${places})`;
    const changes = known?.changes.map((column) => `${column} = excluded.${column}`).join(", ");
    return known === undefined ? insert : `${insert} ON CONFLICT (${known.key}) DO UPDATE SET ${changes}`;
  }
}

function releaseRow(row: StoredRow): ReleaseRow {
  return { ...row.texts("dataset", "key", "header", "created"), planHash: row.text("plan_hash") };
}

function journalRow(row: StoredRow): JournalRow {
  return { line: row.count("line"), ...row.texts("text", "hash") };
}

function partState(text: string): PartState {
  if (text !== "reserved" && text !== "committed" && text !== "void") throw new DamagedRow();
  return text;
}

/** As SQLite and PostgreSQL write it. */
function flag(text: string): boolean {
  if (!/^(0|1|false|true)$/.test(text)) throw new DamagedRow();
  return text === "1" || text === "true";
}
