/** The rows of a ledger file, read and written by prepared statements. */
import type Database from "libsql";
import { escaped, unescaped } from "./escaped.ts";
import type { DatasetRow, JournalRow, LedgerState, PartRow, ReleaseRow, ReservationRow, StoredText } from "./store.ts";

type Value = string | number | null;
type Statement = Database.Statement;

const PART_COLUMNS = "dataset, key, part, state, reservation, sha256";

export class SqliteState implements LedgerState {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Statement>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  async datasets(): Promise<DatasetRow[]> {
    const rows = this.#all<Written<DatasetRow, "budget">>(
      "SELECT name, budget, created, users_key_check AS usersKeyCheck FROM datasets ORDER BY id",
    );
    return rows.map((row) => ({ ...row, budget: BigInt(row.budget) }));
  }

  async putDataset(row: DatasetRow): Promise<void> {
    this.#run(
      "INSERT INTO datasets (name, budget, created, users_key_check) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET budget = excluded.budget",
      [row.name, String(row.budget), row.created, row.usersKeyCheck],
    );
  }

  async releases(dataset: string): Promise<ReleaseRow[]> {
    return this.#all(
      "SELECT dataset, key, plan_hash AS planHash, header, created FROM releases WHERE dataset = ? ORDER BY id",
      [dataset],
    );
  }

  async release(dataset: string, key: string): Promise<ReleaseRow | undefined> {
    const rows = this.#all<ReleaseRow>(
      "SELECT dataset, key, plan_hash AS planHash, header, created FROM releases WHERE dataset = ? AND key = ?",
      [dataset, key],
    );
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
    const rows = this.#all<PartRow>(`SELECT ${PART_COLUMNS} FROM parts WHERE dataset = ? AND key = ? ORDER BY id`, [
      dataset,
      key,
    ]);
    return rows.map((row) => ({ ...row, part: unescaped(row.part) }));
  }

  async putPart(row: PartRow, text?: string): Promise<void> {
    this.#run(
      `INSERT INTO parts (${PART_COLUMNS}, text) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (dataset, key, part) DO UPDATE
       SET state = excluded.state, reservation = excluded.reservation, sha256 = excluded.sha256, text = excluded.text`,
      [row.dataset, row.key, escaped(row.part), row.state, row.reservation, row.sha256, text ?? null],
    );
  }

  async texts(dataset: string, key: string, parts: readonly string[]): Promise<Map<string, StoredText>> {
    const texts = new Map<string, StoredText>();
    for (const part of parts) {
      const [row] = this.#all<StoredText>(
        "SELECT text, sha256 FROM parts WHERE dataset = ? AND key = ? AND part = ? AND text IS NOT NULL",
        [dataset, key, escaped(part)],
      );
      if (row !== undefined) texts.set(part, row);
    }
    return texts;
  }

  async reservations(dataset: string, key: string): Promise<ReservationRow[]> {
    const rows = this.#all<Written<ReservationRow, "largest" | "refunded">>(
      `SELECT id, dataset, key, chunks, users, largest, CAST(refunded AS TEXT) AS refunded
       FROM reservations WHERE dataset = ? AND key = ? ORDER BY id`,
      [dataset, key],
    );
    return rows.map((row) => ({ ...row, largest: BigInt(row.largest), refunded: row.refunded === "1" }));
  }

  async putReservation(row: ReservationRow): Promise<void> {
    this.#run(
      `INSERT INTO reservations (id, dataset, key, chunks, users, largest, refunded) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET refunded = excluded.refunded`,
      [row.id, row.dataset, row.key, row.chunks, row.users, String(row.largest), row.refunded ? 1 : 0],
    );
  }

  async charges(reservation: number, chunk: number): Promise<string | undefined> {
    const rows = this.#all<{ text: string }>("SELECT text FROM charges WHERE reservation = ? AND chunk = ?", [
      reservation,
      chunk,
    ]);
    return rows[0]?.text;
  }

  async putCharges(reservation: number, chunk: number, text: string): Promise<void> {
    this.#run("INSERT INTO charges (reservation, chunk, text) VALUES (?, ?, ?)", [reservation, chunk, text]);
  }

  async balances(dataset: string, users: readonly string[]): Promise<bigint[]> {
    // One call for all of them: crossing into native code once per user would take most of the time.
    const rows = this.#all<{ found: string }>(
      `SELECT json_group_array(balances.units) AS found FROM json_each(?) AS asked
       LEFT JOIN balances ON balances.dataset = ? AND balances.user = asked.value`,
      [JSON.stringify(users.map(escaped)), dataset],
    );
    return (JSON.parse(rows[0]!.found) as Array<string | null>).map((units) => BigInt(units ?? 0));
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
      `SELECT json_group_array(json_array(user, units)) AS found FROM
       (SELECT user, units FROM balances WHERE dataset = ? AND user ${user === undefined ? ">=" : ">"} ? ORDER BY user LIMIT ?)`,
      [dataset, escaped(user ?? ""), limit],
    );
    return (JSON.parse(rows[0]!.found) as Array<[string, string]>).map(([id, units]) => [unescaped(id), BigInt(units)]);
  }

  async lastLine(): Promise<JournalRow | undefined> {
    return this.#all<JournalRow>("SELECT line, text, hash FROM journal ORDER BY line DESC LIMIT 1")[0];
  }

  async linesAfter(line: number, limit: number): Promise<JournalRow[]> {
    return this.#all("SELECT line, text, hash FROM journal WHERE line > ? ORDER BY line LIMIT ?", [line, limit]);
  }

  async appendLine(row: JournalRow): Promise<void> {
    this.#run("INSERT INTO journal (line, text, hash) VALUES (?, ?, ?)", [row.line, row.text, row.hash]);
  }

  #run(sql: string, values: readonly Value[]): void {
    this.#prepared(sql).run(values);
  }

  // Stryker disable next-line ArrayDeclaration: the driver passes over values that a statement has no place for
  #all<Row>(sql: string, values: readonly Value[] = []): Row[] {
    return this.#prepared(sql).all(values) as Row[];
  }

  #prepared(sql: string): Statement {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** A row whose exact numbers are still text. */
type Written<Row, Columns extends keyof Row> = {
  readonly [Column in keyof Row]: Column extends Columns ? string : Row[Column];
};
