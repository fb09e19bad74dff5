/** The budget machine: who may spend how much, what was reserved, what was committed. Every rule is in this room; stores only keep rows. */
import type { Rational } from "../../core/arithmetic/index.ts";
import { AnchoredStore, headText, type LedgerAnchor } from "./anchor.ts";
import { type Books, datasetNamed, type ReleaseName, releaseNamed } from "./books.ts";
import { checkAffordable, type InitRequest, init, type RaiseRequest, raise } from "./budgets.ts";
import {
  type CommitRequest,
  type Committed,
  type CommittedRequest,
  commit,
  committed,
  giveUp,
  type Voided,
} from "./commit.ts";
import { lossOfUnits } from "./loss-units.ts";
import { type Overlap, overlapOf } from "./overlap.ts";
import { type Price, type PriceRequest, price, type Reservation, type ReserveRequest, reserve } from "./reserve.ts";
import { moreReleases, type Standing, standingOf } from "./standing.ts";
import type { JournalRow, LedgerState, LedgerStore } from "./store.ts";
import { type Verification, verifyState } from "./verify.ts";

export interface LedgerOptions {
  readonly clock?: (() => Date) | undefined;
  /** The curator's secret, for datasets that keep users as hashes. */
  readonly usersKey?: string | undefined;
  /** Where the head of the journal is remembered, outside the ledger. */
  readonly anchor?: LedgerAnchor | undefined;
}

export class Ledger implements AsyncDisposable {
  readonly #books: Books;

  constructor(store: LedgerStore, options: LedgerOptions = {}) {
    const { clock = () => new Date(), usersKey, anchor } = options;
    this.#books = { store: anchor === undefined ? store : new AnchoredStore(store, anchor), clock, usersKey };
  }

  /** Makes a dataset. */
  init(request: InitRequest): Promise<void> {
    return init(this.#books, request);
  }

  /** Raises a dataset's budget, and records why. */
  raise(request: RaiseRequest): Promise<void> {
    return raise(this.#books, request);
  }

  /** Refuses a loss that is above the whole budget, before anyone's balance is looked at. */
  checkAffordable(name: string, loss: Rational): Promise<void> {
    return checkAffordable(this.#books, name, loss);
  }

  /** What `reserve` would charge; changes nothing. */
  price(request: PriceRequest): Promise<Price> {
    return price(this.#books, request);
  }

  /** Charges the parts that are new under this key; when it returns, the charge is on disk. */
  reserve(request: ReserveRequest): Promise<Reservation> {
    return reserve(this.#books, request);
  }

  /** Makes texts final. A part keeps the first text it was committed with: disclose what this returns, nothing else. */
  commit(request: CommitRequest): Promise<Committed> {
    return commit(this.#books, request);
  }

  /** The texts of the asked parts that are committed; of all such parts if none are named. Undefined if nothing was reserved under this key. */
  committed(request: CommittedRequest): Promise<Committed | undefined> {
    return committed(this.#books, request);
  }

  /** Gives up what is reserved but not committed, and refunds it: nothing of it was ever disclosed. */
  void(request: ReleaseName): Promise<Voided> {
    return giveUp(this.#books, request);
  }

  /** The datasets and their budgets, without what was spent. */
  async datasets(): Promise<ReadonlyArray<{ readonly dataset: string; readonly budget: Rational }>> {
    const rows = await this.#read((state) => state.datasets());
    return rows.map(({ name, budget }) => ({ dataset: name, budget: lossOfUnits(budget) }));
  }

  /** The hash of a line of the journal, of the last one if none is named: it stands for all lines up to it. Undefined if there is no such line. */
  async journalAt(line?: number): Promise<Pick<JournalRow, "line" | "hash"> | undefined> {
    return this.#read(async (state) =>
      line === undefined ? await state.lastLine() : (await state.linesAfter(line - 1, 1))[0],
    );
  }

  /** The head of the journal as one line, to keep outside the ledger: whoever has it can tell an older copy. */
  async head(): Promise<string> {
    return headText(await this.journalAt());
  }

  /** The header of a dataset's first release; undefined if there is none yet. */
  async firstHeader(name: string): Promise<string | undefined> {
    return this.#read(async (state) => (await state.releases((await datasetNamed(state, name)).name))[0]?.header);
  }

  /** Where one dataset, or each of them, stands. */
  async show(request: { readonly dataset?: string | undefined } = {}): Promise<Standing[]> {
    return this.#read(async (state) => {
      const { dataset } = request;
      const rows = dataset === undefined ? await state.datasets() : [await datasetNamed(state, dataset)];
      const standings: Standing[] = [];
      for (const row of rows) standings.push(await standingOf(state, row));
      return standings;
    });
  }

  /** How many more releases at the price of this one the budget holds for the users it charges; null if it charges nobody. */
  async more(request: ReleaseName): Promise<bigint | null> {
    return this.#read(async (state) => {
      await releaseNamed(state, request);
      return moreReleases(state, await datasetNamed(state, request.dataset), request.key);
    });
  }

  /** Recomputes everything from the journal. */
  async verify(): Promise<Verification> {
    return this.#read(verifyState);
  }

  /** Which other datasets of this ledger charge some of the same users: their losses add up, their budgets do not know it. */
  async overlap(request: { readonly dataset: string; readonly users: Iterable<string> }): Promise<Overlap> {
    return this.#read((state) => overlapOf(state, { ...request, usersKey: this.#books.usersKey }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#books.store[Symbol.asyncDispose]();
  }

  #read<Result>(work: (state: LedgerState) => Promise<Result>): Promise<Result> {
    return this.#books.store.transact(work, "read");
  }
}
