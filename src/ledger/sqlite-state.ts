/** The rows of a ledger file, read and written by prepared statements. */
import type Database from "libsql";
import { escaped, unescaped } from "./escaped.ts";
import { DamagedRow } from "./sqlite-errors.ts";
import type { DatasetRow, JournalRow, LedgerState, PartRow, ReleaseRow, ReservationRow, StoredText } from "./store.ts";

type Value = string | number | null;
type Statement = Database.Statement;

/** Text columns are read as bytes: the driver ends the whole process over text that is no UTF-8, as in a damaged file. */
function bytesOf(...columns: readonly string[]): string {
  return columns
    .map((column) => {
      const [from, to = from] = column.split(" AS ");
      return `CAST(${from} AS BLOB) AS ${to}`;
    })
    .join(", ");
}

const RELEASE_COLUMNS = bytesOf("dataset", "key", "plan_hash AS planHash", "header", "created");
const LINE_COLUMNS = `line, ${bytesOf("text", "hash")}`;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export class SqliteState implements LedgerState {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Statement>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  async datasets(): Promise<DatasetRow[]> {
    const rows = this.#all<Written<DatasetRow, "budget">>(
      `SELECT ${bytesOf("name", "budget", "created", "users_key_check AS usersKeyCheck")} FROM datasets ORDER BY id`,
    );
    return rows.map((row) => ({ ...row, budget: unitsOf(row.budget) }));
  }

  async putDataset(row: DatasetRow): Promise<void> {
    this.#run(
      "INSERT INTO datasets (name, budget, created, users_key_check) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET budget = excluded.budget",
      [row.name, String(row.budget), row.created, row.usersKeyCheck],
    );
  }

  async releases(dataset: string): Promise<ReleaseRow[]> {
    return this.#all(`SELECT ${RELEASE_COLUMNS} FROM releases WHERE dataset = ? ORDER BY id`, [dataset]);
  }

  async release(dataset: string, key: string): Promise<ReleaseRow | undefined> {
    const rows = this.#all<ReleaseRow>(`SELECT ${RELEASE_COLUMNS} FROM releases WHERE dataset = ? AND key = ?`, [
      dataset,
      key,
    ]);
    return rows[0];
  }

  async putRelease(row: ReleaseRow): Promise<void> {
    this.#run("INSERT INTO releases (dataset, key, plan_hash, header, created) VALUES (?, ?, ?, ?, ?)", [
      row.dataset,
      row.key,
      row.planHash,
      row.header,
      row.created,
    ]);
  }

  async parts(dataset: string, key: string): Promise<PartRow[]> {
    const rows = this.#all<PartRow>(
      `SELECT reservation, ${bytesOf("dataset", "key", "part", "state", "sha256")} FROM parts WHERE dataset = ? AND key = ? ORDER BY id`,
      [dataset, key],
    );
    return rows.map((row) => ({ ...row, part: idOf(row.part) }));
  }

  async putPart(row: PartRow, text?: string): Promise<void> {
    this.#run(
      `INSERT INTO parts (dataset, key, part, state, reservation, sha256, text) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (dataset, key, part) DO UPDATE
       SET state = excluded.state, reservation = excluded.reservation, sha256 = excluded.sha256, text = excluded.text`,
      [row.dataset, row.key, escaped(row.part), row.state, row.reservation, row.sha256, text ?? null],
    );
  }

  async texts(dataset: string, key: string, parts: readonly string[]): Promise<Map<string, StoredText>> {
    const texts = new Map<string, StoredText>();
    for (const part of parts) {
      const [row] = this.#all<StoredText>(
        `SELECT ${bytesOf("text", "sha256")} FROM parts WHERE dataset = ? AND key = ? AND part = ? AND text IS NOT NULL`,
        [dataset, key, escaped(part)],
      );
      if (row !== undefined) texts.set(part, row);
    }
    return texts;
  }

  async reservations(dataset: string, key: string): Promise<ReservationRow[]> {
    const rows = this.#all<Written<ReservationRow, "largest" | "refunded">>(
      `SELECT id, chunks, users, ${bytesOf("dataset", "key", "largest", "refunded")}
       FROM reservations WHERE dataset = ? AND key = ? ORDER BY id`,
      [dataset, key],
    );
    return rows.map((row) => ({ ...row, largest: unitsOf(row.largest), refunded: row.refunded === "1" }));
  }

  async putReservation(row: ReservationRow): Promise<void> {
    this.#run(
      `INSERT INTO reservations (id, dataset, key, chunks, users, largest, refunded) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET refunded = excluded.refunded`,
      [row.id, row.dataset, row.key, row.chunks, row.users, String(row.largest), row.refunded ? 1 : 0],
    );
  }

  async charges(reservation: number, chunk: number): Promise<string | undefined> {
    const rows = this.#all<{ text: string }>(
      `SELECT ${bytesOf("text")} FROM charges WHERE reservation = ? AND chunk = ?`,
      [reservation, chunk],
    );
    return rows[0]?.text;
  }

  async putCharges(reservation: number, chunk: number, text: string): Promise<void> {
    this.#run("INSERT INTO charges (reservation, chunk, text) VALUES (?, ?, ?)", [reservation, chunk, text]);
  }

  async balances(dataset: string, users: readonly string[]): Promise<bigint[]> {
    // One call for all of them: crossing into native code once per user would take most of the time.
    const rows = this.#all<{ found: string }>(
      `SELECT CAST(json_group_array(balances.units) AS BLOB) AS found FROM json_each(?) AS asked
       LEFT JOIN balances ON balances.dataset = ? AND balances.user = asked.value`,
      [JSON.stringify(users.map(escaped)), dataset],
    );
    return jsonOf<Array<string | null>>(rows[0]!.found).map((units) => unitsOf(units ?? "0"));
  }

  async putBalances(dataset: string, balances: ReadonlyMap<string, bigint>): Promise<void> {
    this.#run(
      `INSERT INTO balances SELECT ?, value ->> 0, value ->> 1 FROM json_each(?) WHERE true
       ON CONFLICT (dataset, user) DO UPDATE SET units = excluded.units`,
      [dataset, JSON.stringify([...balances].map(([user, units]) => [escaped(user), String(units)]))],
    );
  }

  async balancesAfter(dataset: string, user: string | undefined, limit: number): Promise<Array<[string, bigint]>> {
    const rows = this.#all<{ found: string }>(
      `SELECT CAST(json_group_array(json_array(user, units)) AS BLOB) AS found FROM
       (SELECT user, units FROM balances WHERE dataset = ? AND user ${user === undefined ? ">=" : ">"} ? ORDER BY user LIMIT ?)`,
      [dataset, escaped(user ?? ""), limit],
    );
    return jsonOf<Array<[string, string]>>(rows[0]!.found).map(([id, units]) => [idOf(id), unitsOf(units)]);
  }

  async lastLine(): Promise<JournalRow | undefined> {
    return this.#all<JournalRow>(`SELECT ${LINE_COLUMNS} FROM journal ORDER BY line DESC LIMIT 1`)[0];
  }

  async linesAfter(line: number, limit: number): Promise<JournalRow[]> {
    return this.#all(`SELECT ${LINE_COLUMNS} FROM journal WHERE line > ? ORDER BY line LIMIT ?`, [line, limit]);
  }

  async appendLine(row: JournalRow): Promise<void> {
    this.#run("INSERT INTO journal (line, text, hash) VALUES (?, ?, ?)", [row.line, row.text, row.hash]);
  }

  async isDamaged(): Promise<boolean> {
    return (
      this.#all<{ found: number }>(
        "SELECT count(*) AS found FROM pragma_integrity_check(1) WHERE integrity_check <> 'ok'",
      )[0]!.found > 0
    );
  }

  #run(sql: string, values: readonly Value[]): void {
    this.#prepared(sql).run(values);
  }

  #all<Row>(sql: string, values: readonly Value[] = []): Row[] {
    const rows = this.#prepared(sql).all(values) as Array<Record<string, unknown>>;
    for (const row of rows)
      for (const [column, value] of Object.entries(row)) if (value instanceof ArrayBuffer) row[column] = textOf(value);
    return rows as Row[];
  }

  #prepared(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function textOf(bytes: ArrayBuffer): string {
  return sound(() => decoder.decode(bytes));
}

function jsonOf<Shape>(text: string): Shape {
  return sound(() => JSON.parse(text) as Shape);
}

function idOf(text: string): string {
  return sound(() => unescaped(text));
}

function unitsOf(text: string): bigint {
  if (typeof text !== "string" || !/^-?\d+$/.test(text)) throw new DamagedRow("a loss that is no number");
  return BigInt(text);
}

/** What cannot be read is damage; its message might quote it. */
function sound<Result>(read: () => Result): Result {
  try {
    return read();
  } catch {
    throw new DamagedRow("a text that cannot be read");
  }
}

/** A row whose exact numbers are still text. */
type Written<Row, Columns extends keyof Row> = {
  readonly [Column in keyof Row]: Column extends Columns ? string : Row[Column];
};
