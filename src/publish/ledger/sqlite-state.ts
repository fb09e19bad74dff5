/** The rows of a ledger file, read and written by prepared statements. */
import type Database from "libsql";
import { DamagedRow, lossUnits, positiveUnits, readOrDamaged } from "./damaged-row.ts";
import { escaped, unescaped } from "./escaped.ts";
import { asBytes, type Cell, countOf, textOf, textOrNull } from "./sqlite-cells.ts";
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

type Value = string | number | null;
type Statement = Database.Statement;

const PART_COLUMNS = "dataset, key, part, state, reservation, sha256";
const RELEASE_COLUMNS = asBytes("dataset, key, plan_hash planHash, header, created");

export class SqliteState implements LedgerState {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Statement>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  async datasets(): Promise<DatasetRow[]> {
    const rows = this.#all<DatasetRow>(
      `SELECT ${asBytes("name, budget, created, users_key_check usersKeyCheck")} FROM datasets ORDER BY id`,
    );
    return rows.map((row) => ({
      name: textOf(row.name),
      budget: positiveUnits(textOf(row.budget)),
      created: textOf(row.created),
      usersKeyCheck: textOrNull(row.usersKeyCheck),
    }));
  }

  async putDataset(row: DatasetRow): Promise<void> {
    this.#run(
      "INSERT INTO datasets (name, budget, created, users_key_check) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET budget = excluded.budget",
      [row.name, String(row.budget), row.created, row.usersKeyCheck],
    );
  }

  async releases(dataset: string): Promise<ReleaseRow[]> {
    const rows = this.#all<ReleaseRow>(`SELECT ${RELEASE_COLUMNS} FROM releases WHERE dataset = ? ORDER BY id`, [
      dataset,
    ]);
    return rows.map(releaseRow);
  }

  async release(dataset: string, key: string): Promise<ReleaseRow | undefined> {
    const rows = this.#all<ReleaseRow>(`SELECT ${RELEASE_COLUMNS} FROM releases WHERE dataset = ? AND key = ?`, [
      dataset,
      key,
    ]);
    return rows.map(releaseRow)[0];
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
      `SELECT ${asBytes(PART_COLUMNS)} FROM parts WHERE dataset = ? AND key = ? ORDER BY id`,
      [dataset, key],
    );
    return rows.map((row) => ({
      dataset: textOf(row.dataset),
      key: textOf(row.key),
      part: givenId(textOf(row.part)),
      state: partState(textOf(row.state)),
      reservation: countOf(row.reservation),
      sha256: textOrNull(row.sha256),
    }));
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
        `SELECT ${asBytes("text, sha256")} FROM parts WHERE dataset = ? AND key = ? AND part = ? AND text IS NOT NULL`,
        [dataset, key, escaped(part)],
      );
      if (row !== undefined) texts.set(part, { text: textOf(row.text), sha256: textOrNull(row.sha256) });
    }
    return texts;
  }

  async reservations(dataset: string, key: string): Promise<ReservationRow[]> {
    const rows = this.#all<ReservationRow>(
      `SELECT ${asBytes("id, dataset, key, chunks, users, largest, refunded")}
       FROM reservations WHERE dataset = ? AND key = ? ORDER BY reservations.id`,
      [dataset, key],
    );
    return rows.map((row) => ({
      id: countOf(row.id),
      dataset: textOf(row.dataset),
      key: textOf(row.key),
      chunks: countOf(row.chunks),
      users: countOf(row.users),
      largest: lossUnits(textOf(row.largest)),
      refunded: countOf(row.refunded) !== 0,
    }));
  }

  async putReservation(row: ReservationRow): Promise<void> {
    this.#run(
      `INSERT INTO reservations (id, dataset, key, chunks, users, largest, refunded) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET refunded = excluded.refunded`,
      [row.id, row.dataset, row.key, row.chunks, row.users, String(row.largest), row.refunded ? 1 : 0],
    );
  }

  async charges(reservation: number, chunk: number): Promise<string | undefined> {
    const [row] = this.#all<{ text: string }>(
      `SELECT ${asBytes("text")} FROM charges WHERE reservation = ? AND chunk = ?`,
      [reservation, chunk],
    );
    return row === undefined ? undefined : textOf(row.text);
  }

  async putCharges(reservation: number, chunk: number, text: string): Promise<void> {
    this.#run("INSERT INTO charges (reservation, chunk, text) VALUES (?, ?, ?)", [reservation, chunk, text]);
  }

  async balances(dataset: string, users: readonly string[]): Promise<bigint[]> {
    // One call for all of them: crossing into native code once per user would take most of the time.
    const found = this.#json(
      `SELECT CAST(json_group_array(balances.units) AS BLOB) AS found FROM json_each(?) AS asked
       LEFT JOIN balances ON balances.dataset = ? AND balances.user = asked.value`,
      [JSON.stringify(users.map(escaped)), dataset],
    );
    return found.map((units) => lossUnits(units ?? "0"));
  }

  async putBalances(dataset: string, balances: ReadonlyMap<string, bigint>): Promise<void> {
    this.#run(
      `INSERT INTO balances SELECT ?, value ->> 0, value ->> 1 FROM json_each(?) WHERE true
       ON CONFLICT (dataset, user) DO UPDATE SET units = excluded.units`,
      [dataset, JSON.stringify([...balances].map(([user, units]) => [escaped(user), String(units)]))],
    );
  }

  /** Here and for lines, each is looked at once more by itself (`+`): in a damaged tree, what comes after may be what came before, for ever. */
  async balancesAfter(dataset: string, user: string | undefined, limit: number): Promise<Array<[string, bigint]>> {
    const after = escaped(user ?? "");
    const isAfter = user === undefined ? ">=" : ">";
    const found = this.#json(
      `SELECT CAST(json_group_array(json_array(user, units)) AS BLOB) AS found FROM
       (SELECT user, units FROM balances WHERE dataset = ? AND user ${isAfter} ? AND +user ${isAfter} ? ORDER BY user LIMIT ?)`,
      [dataset, after, after, limit],
    );
    return (found as Array<[unknown, unknown]>).map(([id, units]) => [givenId(id), lossUnits(units)]);
  }

  async lastLine(): Promise<JournalRow | undefined> {
    return this.#lines("ORDER BY journal.line DESC LIMIT 1", [])[0];
  }

  async linesAfter(line: number, limit: number): Promise<JournalRow[]> {
    return this.#lines("WHERE line > ? AND +line > ? ORDER BY journal.line LIMIT ?", [line, line, limit]);
  }

  async appendLine(row: JournalRow): Promise<void> {
    this.#run("INSERT INTO journal (line, text, hash) VALUES (?, ?, ?)", [row.line, row.text, row.hash]);
  }

  /** Looking up goes by indexes, looking through does not: a damaged page can make them differ. */
  async isSound(): Promise<boolean> {
    const rows = this.#all<{ found: string }>(
      "SELECT CAST(integrity_check AS BLOB) AS found FROM pragma_integrity_check(1)",
    );
    return rows.length === 1 && textOf(rows[0]!.found) === "ok";
  }

  #lines(which: string, values: readonly Value[]): JournalRow[] {
    const rows = this.#all<JournalRow>(`SELECT ${asBytes("line, text, hash")} FROM journal ${which}`, values);
    return rows.map((row) => ({ line: countOf(row.line), text: textOf(row.text), hash: textOf(row.hash) }));
  }

  /** The one list that a query gives. */
  #json(sql: string, values: readonly Value[]): unknown[] {
    const text = textOf(this.#all<{ found: unknown }>(sql, values)[0]!.found);
    return readOrDamaged(() => JSON.parse(text) as unknown[]);
  }

  #run(sql: string, values: readonly Value[]): void {
    this.#prepared(sql).run(values);
  }

  // Stryker disable next-line ArrayDeclaration: the driver passes over values that a statement has no place for
  #all<Row>(sql: string, values: readonly Value[] = []): Array<Cells<Row>> {
    return this.#prepared(sql).all(values) as Array<Cells<Row>>;
  }

  #prepared(sql: string): Statement {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** A row as it is in the file. */
type Cells<Row> = { readonly [Column in keyof Row]: Cell };

function releaseRow(row: Cells<ReleaseRow>): ReleaseRow {
  return {
    dataset: textOf(row.dataset),
    key: textOf(row.key),
    planHash: textOf(row.planHash),
    header: textOf(row.header),
    created: textOf(row.created),
  };
}

function partState(text: string): PartState {
  if (text !== "reserved" && text !== "committed" && text !== "void") throw new DamagedRow();
  return text;
}

function givenId(stored: unknown): string {
  if (typeof stored !== "string") throw new DamagedRow();
  return readOrDamaged(() => unescaped(stored));
}
