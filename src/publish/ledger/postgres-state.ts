/** Reads and writes the rows of a ledger in PostgreSQL, within one transaction. Writes are sent and not waited for: a failure shows at the next read, and before the commit. */
import type pg from "pg";
import { SqlState, type SqlValue, StoredRow } from "./sql-state.ts";
import type { JournalRow, StoredText } from "./store.ts";
import { lossUnits } from "./store-failures.ts";
import { escaped, sha256, unescaped } from "./stored-text.ts";

/** Writes on their way at once: enough to hide the network, few enough to hold. */
const MOST_UNANSWERED = 200;
/** An index takes keys of some 2,700 bytes. With a dataset's name and a release's key, at most 600 bytes each, this leaves room. */
const LONGEST_ID_BYTES = 1_200;
const ID_COLUMNS = ["id", "long_id"] as const;

export class PostgresState extends SqlState {
  readonly #client: pg.Client;
  #lastSent: Promise<unknown> = Promise.resolve();
  #unanswered = 0;
  #failure: { readonly error: unknown } | undefined;
  #lastLine: { readonly row: JournalRow | undefined } | undefined;
  #hasWritten = false;

  /** `schema` is written as SQL writes names. */
  constructor(client: pg.Client, schema: string) {
    super({ prefix: `${schema}.`, order: "number", idColumns: ID_COLUMNS });
    this.#client = client;
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

  async texts(dataset: string, key: string, parts: readonly string[]): Promise<Map<string, StoredText>> {
    const partOf = new Map(parts.map((part) => [this.storedId(part)[0], part]));
    if (partOf.size === 0) return new Map();
    const rows = await this.query(
      `SELECT asked.id, parts.text, parts.sha256 FROM unnest($3::text[]) WITH ORDINALITY AS asked (id, place)
       JOIN ${this.table("parts")} ON parts.dataset = $1 AND parts.key = $2 AND parts.id = asked.id
       WHERE parts.text IS NOT NULL ORDER BY place`,
      [dataset, key, [...partOf.keys()]],
    );
    return new Map(
      rows.flatMap((row) => {
        const part = partOf.get(row.text("id"));
        return part === undefined ? [] : [[part, { text: row.text("text"), sha256: row.textOrNull("sha256") }]];
      }),
    );
  }

  async balances(dataset: string, users: readonly string[]): Promise<bigint[]> {
    if (users.length === 0) return [];
    // One text for all of them: a row each would take most of the time.
    const rows = await this.query(
      `SELECT string_agg(coalesce(
         (SELECT units FROM ${this.table("balances")} WHERE balances.dataset = $1 AND balances.id = asked.id), 0)::text, ',' ORDER BY place)
         AS found FROM unnest($2::text[]) WITH ORDINALITY AS asked (id, place)`,
      [dataset, users.map((user) => this.storedId(user)[0])],
    );
    return rows.flatMap((row) => row.text("found").split(",").map(lossUnits));
  }

  putBalances(dataset: string, balances: ReadonlyMap<string, bigint>): Promise<void> {
    const ids = [...balances.keys()].map((user) => this.storedId(user));
    return this.send(
      `INSERT INTO ${this.table("balances")} (dataset, id, long_id, units)
       SELECT $1, id, long_id, units FROM unnest($2::text[], $3::text[], $4::numeric[]) AS given (id, long_id, units)
       ON CONFLICT (dataset, id) DO UPDATE SET units = excluded.units`,
      [dataset, ids.map(([id]) => id), ids.map(([, longId]) => longId), [...balances.values()].map(String)],
    );
  }

  async balancesAfter(dataset: string, user: string | undefined, limit: number): Promise<Array<[string, bigint]>> {
    const after = user === undefined ? "" : this.storedId(user)[0];
    const which = "WHERE dataset = $1 AND id > $2 ORDER BY id LIMIT $3";
    const rows = await this.select("balances", [...ID_COLUMNS, "units"], which, [dataset, after, limit]);
    return rows.map((row) => [this.givenId(row), lossUnits(row.text("units"))]);
  }

  /** The server looks after its own pages. */
  async isSound(): Promise<boolean> {
    return true;
  }

  /** Asked once: nobody else writes meanwhile. */
  override async lastLine(): Promise<JournalRow | undefined> {
    this.#lastLine ??= { row: await super.lastLine() };
    return this.#lastLine.row;
  }

  override async appendLine(row: JournalRow): Promise<void> {
    await super.appendLine(row);
    this.#lastLine = { row };
  }

  protected async query(sql: string, values: readonly SqlValue[]): Promise<StoredRow[]> {
    try {
      const { rows } = await this.#run(sql, values);
      return (rows as Array<Readonly<Record<string, unknown>>>).map(
        (row) => new StoredRow((column) => (row[column] === null ? null : String(row[column]))),
      );
    } catch (error) {
      // Later statements only report that the transaction has failed.
      throw this.#failure?.error ?? error;
    }
  }

  protected async send(sql: string, values: readonly SqlValue[]): Promise<void> {
    this.#hasWritten = true;
    this.#lastSent = this.#run(sql, values).catch(() => undefined);
    this.#unanswered += 1;
    if (this.#unanswered >= MOST_UNANSWERED) await this.settled();
  }

  protected selected(column: string): string {
    return column;
  }

  /** A short id begins with `=` and is kept as it is. A long one is kept beside its hash, which begins with `#`. */
  protected storedId(given: string): readonly [id: string, longId: string | null] {
    const text = escaped(given);
    // No character takes more than three bytes per code unit.
    const isShort = 3 * text.length <= LONGEST_ID_BYTES || Buffer.byteLength(text) <= LONGEST_ID_BYTES;
    return isShort ? [`=${text}`, null] : [`#${sha256(text)}`, text];
  }

  protected givenId(row: StoredRow): string {
    return unescaped(row.textOrNull("long_id") ?? row.text("id").slice(1));
  }

  #run(sql: string, values: readonly SqlValue[]): Promise<pg.QueryResult> {
    return this.#client.query(sql, [...values]).catch((error: unknown) => {
      this.#failure ??= { error };
      throw error;
    });
  }
}
