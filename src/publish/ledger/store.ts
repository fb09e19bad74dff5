/** Defines what a durable store offers the ledger: transactions over small rows, so that every rule lives in the ledger and every store behaves alike. */
/// <reference lib="esnext.disposable" preserve="true" />

export interface DatasetRow {
  readonly name: string;
  /** Units of 10⁻¹⁸. */
  readonly budget: bigint;
  readonly created: string;
  /** Set if users are kept as keyed hashes: tells the right key from a wrong one. */
  readonly usersKeyCheck: string | null;
}

export interface ReleaseRow {
  readonly dataset: string;
  readonly key: string;
  readonly planHash: string;
  readonly header: string;
  readonly created: string;
}

export type PartState = "reserved" | "committed" | "void";

export interface PartRow {
  readonly dataset: string;
  readonly key: string;
  readonly part: string;
  readonly state: PartState;
  /** The reservation that pays for it. */
  readonly reservation: number;
  /** Of its text, once committed. */
  readonly sha256: string | null;
}

export interface StoredText {
  readonly text: string;
  readonly sha256: string | null;
}

/** Parts that were charged together. */
export interface ReservationRow {
  /** Its line in the journal. */
  readonly id: number;
  readonly dataset: string;
  readonly key: string;
  /** How many texts its charges fill. */
  readonly chunks: number;
  readonly users: number;
  /** The largest charge of any user. */
  readonly largest: bigint;
  readonly refunded: boolean;
}

export interface JournalRow {
  /** 1, 2, 3, … */
  readonly line: number;
  readonly text: string;
  readonly hash: string;
}

/** The rows, as one transaction sees them. Users and parts are any text; other texts hold no NUL and no half surrogate pairs. */
export interface LedgerState {
  /** In the order they were made. */
  datasets(): Promise<DatasetRow[]>;
  putDataset(row: DatasetRow): Promise<void>;
  /** In the order they were made. */
  releases(dataset: string): Promise<ReleaseRow[]>;
  release(dataset: string, key: string): Promise<ReleaseRow | undefined>;
  putRelease(row: ReleaseRow): Promise<void>;
  parts(dataset: string, key: string): Promise<PartRow[]>;
  /** Inserts or replaces; a text is given once, when the part is committed. */
  putPart(row: PartRow, text?: string): Promise<void>;
  /** The committed texts of those of the parts that have one, each with the hash that was recorded with it. */
  texts(dataset: string, key: string, parts: readonly string[]): Promise<Map<string, StoredText>>;
  /** In the order of their ids. */
  reservations(dataset: string, key: string): Promise<ReservationRow[]>;
  putReservation(row: ReservationRow): Promise<void>;
  charges(reservation: number, chunk: number): Promise<string | undefined>;
  putCharges(reservation: number, chunk: number, text: string): Promise<void>;
  /** The users' balances, 0 for those without one, in the order asked. */
  balances(dataset: string, users: readonly string[]): Promise<bigint[]>;
  putBalances(dataset: string, balances: ReadonlyMap<string, bigint>): Promise<void>;
  /** The next balances after a user in the store's own order, from the first for undefined; empty at the end. */
  balancesAfter(dataset: string, user: string | undefined, limit: number): Promise<Array<[string, bigint]>>;
  lastLine(): Promise<JournalRow | undefined>;
  linesAfter(line: number, limit: number): Promise<JournalRow[]>;
  appendLine(row: JournalRow): Promise<void>;
  /** Whether what can be looked up is what is there, as far as the store itself can tell. */
  isSound(): Promise<boolean>;
}

/** What a ledger says of itself, wherever it is. */
export const FORMAT = "veilgrid ledger";

export interface LedgerStore extends AsyncDisposable {
  /**
   * Runs `work` alone: no other transaction, of this process or another, writes meanwhile. What it wrote is on disk when this
   * returns, and gone without a trace if `work` or the store fails. A transaction to read sees one moment and writes nothing.
   */
  transact<Result>(work: (state: LedgerState) => Promise<Result>, mode?: "write" | "read"): Promise<Result>;
}
