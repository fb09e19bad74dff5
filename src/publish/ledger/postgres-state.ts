/** The rows of a ledger in PostgreSQL, as one transaction sees them. Writes are sent and not waited for: what became of them is seen at the next look, and before the commit. */
import type pg from "pg";
import { lossUnits, positiveUnits } from "./damaged-row.ts";
import { givenId, type StoredId, storedId } from "./postgres-ids.ts";
import type { DatasetRow, JournalRow, LedgerState, PartRow, ReleaseRow, ReservationRow, StoredText } from "./store.ts";

type Value = string | number | boolean | null | ReadonlyArray<string | null>;

/** Writes on their way at once: enough to hide the network, few enough to hold. */
const MOST_UNANSWERED = 200;

export class PostgresState implements LedgerState {
  readonly #client: pg.Client;
  readonly #schema: string;
  #lastSent: Promise<unknown> = Promise.resolve();
  #unanswered = 0;
  #failure: { readonly error: unknown } | undefined;
  #lastLine: { readonly row: JournalRow | undefined } | undefined;
  #hasWritten = false;

  /** `schema` is written as SQL writes names. */
  constructor(client: pg.Client, schema: string) {
    this.#client = client;
    this.#schema = schema;
  }

  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  /** Returns once all that was sent is done; throws what failed first, also if nobody has looked at it. */
  async settled(): Promise<void> {
    await this.#lastSent;
    this.#unanswered = 0;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async datasets(): Promise<DatasetRow[]> {
    const rows = await this.#all<Written<DatasetRow, "budget">>(
      `SELECT name, budget, created, users_key_check AS "usersKeyCheck" FROM ${this.#schema}.datasets ORDER BY number`,
    );
    return rows.map((row) => ({ ...row, budget: positiveUnits(row.budget) }));
  }

  async putDataset(row: DatasetRow): Promise<void> {
    await this.#send(
      `INSERT INTO ${this.#schema}.datasets (name, budget, created, users_key_check) VALUES ($1, $2, $3, $4)
       ON CONFLICT (name) DO UPDATE SET budget = excluded.budget`,
      [row.name, String(row.budget), row.created, row.usersKeyCheck],
    );
  }

  async releases(dataset: string): Promise<ReleaseRow[]> {
    return this.#all(
      `SELECT dataset, key, plan_hash AS "planHash", header, created FROM ${this.#schema}.releases
       WHERE dataset = $1 ORDER BY number`,
      [dataset],
    );
  }

  async release(dataset: string, key: string): Promise<ReleaseRow | undefined> {
    const rows = await this.#all<ReleaseRow>(
      `SELECT dataset, key, plan_hash AS "planHash", header, created FROM ${this.#schema}.releases
       WHERE dataset = $1 AND key = $2`,
      [dataset, key],
    );
    return rows[0];
  }

  async putRelease(row: ReleaseRow): Promise<void> {
    await this.#send(
      `INSERT INTO ${this.#schema}.releases (dataset, key, plan_hash, header, created) VALUES ($1, $2, $3, $4, $5)`,
      [row.dataset, row.key, row.planHash, row.header, row.created],
    );
  }

  async parts(dataset: string, key: string): Promise<PartRow[]> {
    const rows = await this.#all<StoredId & Omit<Written<PartRow, "reservation">, "part">>(
      `SELECT dataset, key, id, long_id AS "longId", state, reservation, sha256 FROM ${this.#schema}.parts
       WHERE dataset = $1 AND key = $2 ORDER BY number`,
      [dataset, key],
    );
    return rows.map(({ id, longId, reservation, ...row }) => ({
      ...row,
      part: givenId({ id, longId }),
      reservation: Number(reservation),
    }));
  }

  async putPart(row: PartRow, text?: string): Promise<void> {
    const { id, longId } = storedId(row.part);
    await this.#send(
      `INSERT INTO ${this.#schema}.parts (dataset, key, id, long_id, state, reservation, sha256, text)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (dataset, key, id) DO UPDATE
       SET state = excluded.state, reservation = excluded.reservation, sha256 = excluded.sha256, text = excluded.text`,
      [row.dataset, row.key, id, longId, row.state, row.reservation, row.sha256, text ?? null],
    );
  }

  async texts(dataset: string, key: string, parts: readonly string[]): Promise<Map<string, StoredText>> {
    if (parts.length === 0) return new Map();
    const rows = await this.#all<StoredText & { place: string }>(
      `SELECT place, parts.text, parts.sha256 FROM unnest($3::text[]) WITH ORDINALITY AS asked (id, place)
       JOIN ${this.#schema}.parts ON parts.dataset = $1 AND parts.key = $2 AND parts.id = asked.id
       WHERE parts.text IS NOT NULL ORDER BY place`,
      [dataset, key, parts.map((part) => storedId(part).id)],
    );
    return new Map(rows.map(({ place, ...stored }) => [parts[Number(place) - 1]!, stored]));
  }

  async reservations(dataset: string, key: string): Promise<ReservationRow[]> {
    const rows = await this.#all<Written<ReservationRow, "id" | "largest">>(
      `SELECT id, dataset, key, chunks, users, largest, refunded FROM ${this.#schema}.reservations
       WHERE dataset = $1 AND key = $2 ORDER BY id`,
      [dataset, key],
    );
    return rows.map((row) => ({ ...row, id: Number(row.id), largest: lossUnits(row.largest) }));
  }

  async putReservation(row: ReservationRow): Promise<void> {
    await this.#send(
      `INSERT INTO ${this.#schema}.reservations (id, dataset, key, chunks, users, largest, refunded)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO UPDATE SET refunded = excluded.refunded`,
      [row.id, row.dataset, row.key, row.chunks, row.users, String(row.largest), row.refunded],
    );
  }

  async charges(reservation: number, chunk: number): Promise<string | undefined> {
    const rows = await this.#all<{ text: string }>(
      `SELECT text FROM ${this.#schema}.charges WHERE reservation = $1 AND chunk = $2`,
      [reservation, chunk],
    );
    return rows[0]?.text;
  }

  async putCharges(reservation: number, chunk: number, text: string): Promise<void> {
    await this.#send(`INSERT INTO ${this.#schema}.charges (reservation, chunk, text) VALUES ($1, $2, $3)`, [
      reservation,
      chunk,
      text,
    ]);
  }

  async balances(dataset: string, users: readonly string[]): Promise<bigint[]> {
    if (users.length === 0) return [];
    // One text for all of them: a row each would take most of the time.
    const rows = await this.#all<{ found: string }>(
      `SELECT string_agg(coalesce(
         (SELECT units FROM ${this.#schema}.balances WHERE balances.dataset = $1 AND balances.id = asked.id), 0)::text, ',' ORDER BY place)
         AS found FROM unnest($2::text[]) WITH ORDINALITY AS asked (id, place)`,
      [dataset, users.map((user) => storedId(user).id)],
    );
    return rows[0]!.found.split(",").map(lossUnits);
  }

  async putBalances(dataset: string, balances: ReadonlyMap<string, bigint>): Promise<void> {
    const ids = [...balances.keys()].map(storedId);
    await this.#send(
      `INSERT INTO ${this.#schema}.balances (dataset, id, long_id, units)
       SELECT $1, id, long_id, units FROM unnest($2::text[], $3::text[], $4::numeric[]) AS given (id, long_id, units)
       ON CONFLICT (dataset, id) DO UPDATE SET units = excluded.units`,
      [dataset, ids.map(({ id }) => id), ids.map(({ longId }) => longId), [...balances.values()].map(String)],
    );
  }

  async balancesAfter(dataset: string, user: string | undefined, limit: number): Promise<Array<[string, bigint]>> {
    const rows = await this.#all<StoredId & { units: string }>(
      `SELECT id, long_id AS "longId", units FROM ${this.#schema}.balances WHERE dataset = $1 AND id > $2 ORDER BY id LIMIT $3`,
      [dataset, user === undefined ? "" : storedId(user).id, limit],
    );
    return rows.map((row) => [givenId(row), lossUnits(row.units)]);
  }

  /** The server looks after its own pages. */
  async isSound(): Promise<boolean> {
    return true;
  }

  /** Asked once: nobody else writes meanwhile. */
  async lastLine(): Promise<JournalRow | undefined> {
    if (this.#lastLine === undefined) {
      const rows = await this.#lines("ORDER BY line DESC LIMIT 1", []);
      this.#lastLine = { row: rows[0] };
    }
    return this.#lastLine.row;
  }

  async linesAfter(line: number, limit: number): Promise<JournalRow[]> {
    return this.#lines("WHERE line > $1 ORDER BY line LIMIT $2", [line, limit]);
  }

  async appendLine(row: JournalRow): Promise<void> {
    await this.#send(`INSERT INTO ${this.#schema}.journal (line, text, hash) VALUES ($1, $2, $3)`, [
      row.line,
      row.text,
      row.hash,
    ]);
    this.#lastLine = { row };
  }

  async #lines(which: string, values: readonly Value[]): Promise<JournalRow[]> {
    const rows = await this.#all<Written<JournalRow, "line">>(
      `SELECT line, text, hash FROM ${this.#schema}.journal ${which}`,
      values,
    );
    return rows.map((row) => ({ ...row, line: Number(row.line) }));
  }

  async #send(text: string, values: readonly Value[]): Promise<void> {
    this.#hasWritten = true;
    this.#lastSent = this.#query(text, values).catch(() => undefined);
    this.#unanswered += 1;
    if (this.#unanswered >= MOST_UNANSWERED) await this.settled();
  }

  async #all<Row>(text: string, values: readonly Value[] = []): Promise<Row[]> {
    try {
      return (await this.#query(text, values)).rows as Row[];
    } catch {
      // What a later statement is told only follows from what went wrong first.
      throw this.#failure!.error;
    }
  }

  #query(text: string, values: readonly Value[]): Promise<pg.QueryResult> {
    return this.#client.query(text, [...values]).catch((error: unknown) => {
      this.#failure ??= { error };
      throw error;
    });
  }
}

/** A row whose large and exact numbers are still text. */
type Written<Row, Columns extends keyof Row> = {
  readonly [Column in keyof Row]: Column extends Columns ? string : Row[Column];
};
