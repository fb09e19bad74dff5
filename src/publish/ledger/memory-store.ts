/** Keeps a ledger for as long as the process runs: for audits and tests. */
import { Semaphore } from "./semaphore.ts";
import type {
  DatasetRow,
  JournalRow,
  LedgerState,
  LedgerStore,
  PartRow,
  ReleaseRow,
  ReservationRow,
  StoredText,
} from "./store.ts";

export class MemoryStore implements LedgerStore {
  readonly #queue = new Semaphore(1);
  readonly #state = new MemoryState();

  transact<Result>(work: (state: LedgerState) => Promise<Result>): Promise<Result> {
    return this.#queue.run(async () => {
      try {
        return await work(this.#state);
      } catch (error) {
        this.#state.undo();
        throw error;
      } finally {
        this.#state.forget();
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

/** Rows by their keys, and how to take back what the current transaction did to them. */
class MemoryState implements LedgerState {
  readonly #datasets = new Map<string, DatasetRow>();
  readonly #releases = new Map<string, ReleaseRow>();
  readonly #parts = new Map<string, PartRow>();
  readonly #texts = new Map<string, string>();
  readonly #reservations = new Map<number, ReservationRow>();
  readonly #charges = new Map<string, string>();
  readonly #balances = new Map<string, Map<string, bigint>>();
  readonly #journal = new Map<number, JournalRow>();
  #undo: Array<() => void> = [];

  undo(): void {
    for (const step of this.#undo.reverse()) step();
  }

  forget(): void {
    this.#undo = [];
  }

  async datasets(): Promise<DatasetRow[]> {
    return [...this.#datasets.values()];
  }

  async putDataset(row: DatasetRow): Promise<void> {
    this.#put(this.#datasets, row.name, row);
  }

  async releases(dataset: string): Promise<ReleaseRow[]> {
    return [...this.#releases.values()].filter((row) => row.dataset === dataset);
  }

  async release(dataset: string, key: string): Promise<ReleaseRow | undefined> {
    return this.#releases.get(joined(dataset, key));
  }

  async putRelease(row: ReleaseRow): Promise<void> {
    this.#put(this.#releases, joined(row.dataset, row.key), row);
  }

  async parts(dataset: string, key: string): Promise<PartRow[]> {
    return ofRelease(this.#parts, dataset, key);
  }

  async putPart(row: PartRow, text?: string): Promise<void> {
    const id = joined(row.dataset, row.key, row.part);
    this.#put(this.#parts, id, row);
    if (text !== undefined) this.#put(this.#texts, id, text);
  }

  async texts(dataset: string, key: string, parts: readonly string[]): Promise<Map<string, StoredText>> {
    const found = new Map<string, StoredText>();
    for (const part of parts) {
      const id = joined(dataset, key, part);
      const [text, row] = [this.#texts.get(id), this.#parts.get(id)];
      if (text !== undefined && row !== undefined) found.set(part, { text, sha256: row.sha256 });
    }
    return found;
  }

  async reservations(dataset: string, key: string): Promise<ReservationRow[]> {
    return ofRelease(this.#reservations, dataset, key);
  }

  async putReservation(row: ReservationRow): Promise<void> {
    this.#put(this.#reservations, row.id, row);
  }

  async charges(reservation: number, chunk: number): Promise<string | undefined> {
    return this.#charges.get(`${reservation}/${chunk}`);
  }

  async putCharges(reservation: number, chunk: number, text: string): Promise<void> {
    this.#put(this.#charges, `${reservation}/${chunk}`, text);
  }

  async balances(dataset: string, users: readonly string[]): Promise<bigint[]> {
    return users.map((user) => this.#balancesOf(dataset).get(user) ?? 0n);
  }

  async putBalances(dataset: string, balances: ReadonlyMap<string, bigint>): Promise<void> {
    for (const [user, balance] of balances) this.#put(this.#balancesOf(dataset), user, balance);
  }

  async balancesAfter(dataset: string, user: string | undefined, limit: number): Promise<Array<[string, bigint]>> {
    const known = [...this.#balancesOf(dataset)];
    const start = known.findIndex(([each]) => each === user) + 1;
    return known.slice(start, start + limit);
  }

  async lastLine(): Promise<JournalRow | undefined> {
    return this.#journal.get(this.#journal.size);
  }

  async linesAfter(line: number, limit: number): Promise<JournalRow[]> {
    return [...this.#journal.values()].slice(line, line + limit);
  }

  async appendLine(row: JournalRow): Promise<void> {
    this.#put(this.#journal, row.line, row);
  }

  async isSound(): Promise<boolean> {
    return true;
  }

  #balancesOf(dataset: string): Map<string, bigint> {
    const known = this.#balances.get(dataset) ?? new Map<string, bigint>();
    this.#balances.set(dataset, known);
    return known;
  }

  #put<Key, Row>(rows: Map<Key, Row>, key: Key, row: Row): void {
    const before = rows.get(key);
    this.#undo.push(() => void (before === undefined ? rows.delete(key) : rows.set(key, before)));
    rows.set(key, row);
  }
}

function ofRelease<Row extends PartRow | ReservationRow>(rows: Map<unknown, Row>, dataset: string, key: string): Row[] {
  return [...rows.values()].filter((row) => row.dataset === dataset && row.key === key);
}

function joined(...names: string[]): string {
  return JSON.stringify(names);
}
