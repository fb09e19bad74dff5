/** The ledger: who may spend how much, what was reserved, what was committed. Every rule is in this room; stores only keep rows. */
import { Rational } from "../../core/arithmetic/index.ts";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { LOSS_UNITS_PER_ONE } from "../../core/influence/index.ts";
import { type Decimal, exactDecimal } from "../../core/options/index.ts";
import { AnchoredStore, headText, type LedgerAnchor } from "./anchor.ts";
import { checkFit, refund } from "./charges.ts";
import { appendToJournal } from "./journal.ts";
import {
  checkPlan,
  datasetNamed,
  type LedgerContext,
  type ReleaseName,
  releaseNamed,
  soundTexts,
} from "./ledger-context.ts";
import { budgetUnits, lossOfUnits } from "./loss-units.ts";
import { isGrid } from "./parts.ts";
import { type Price, type PriceRequest, price, type Reservation, type ReserveRequest, reserve } from "./reserve.ts";
import { type Standing, standingOf } from "./standing.ts";
import type { JournalRow, LedgerState, LedgerStore, PartRow, ReleaseRow } from "./store.ts";
import { checkLine, checkText, sha256 } from "./stored-text.ts";
import { type Overlap, overlapOf, usersKeyCheck } from "./users.ts";
import { type Verification, verifyState } from "./verify.ts";

export interface InitRequest {
  readonly dataset: string;
  /** The loss that any user may reach. */
  readonly budget: Decimal;
  readonly occupancyIsPublic: boolean;
  /** Keep HMAC-SHA256 of ids under the ledger's `usersKey` instead of ids. */
  readonly hashUsers?: boolean | undefined;
}

export interface RaiseRequest extends Pick<InitRequest, "dataset" | "budget"> {
  readonly reason: string;
}

export interface Voided {
  /** Grids that are given up and refunded, with the passes before them. */
  readonly parts: readonly string[];
  /** Still reserved and paid for: they were charged as one with parts that are committed. */
  readonly kept: readonly string[];
}

export interface CommitRequest extends ReleaseName {
  readonly planHash: string;
  readonly parts: Iterable<readonly [part: string, text: string]>;
}

export interface CommittedRequest extends ReleaseName {
  readonly parts?: readonly string[] | undefined;
}

/** What may be disclosed: these bytes, never the caller's own copy. */
export interface Committed {
  readonly planHash: string;
  readonly header: string;
  readonly texts: ReadonlyMap<string, string>;
}

export interface LedgerOptions {
  readonly clock?: (() => Date) | undefined;
  /** The curator's secret, for datasets that keep users as hashes. */
  readonly usersKey?: string | undefined;
  /** Where the head of the journal is remembered, outside the ledger. */
  readonly anchor?: LedgerAnchor | undefined;
}

export class Ledger implements AsyncDisposable {
  readonly #context: LedgerContext;

  constructor(store: LedgerStore, options: LedgerOptions = {}) {
    const { clock = () => new Date(), usersKey, anchor } = options;
    this.#context = { store: anchor === undefined ? store : new AnchoredStore(store, anchor), clock, usersKey };
  }

  /** Makes a dataset. */
  async init(request: InitRequest): Promise<void> {
    const { dataset: name } = request;
    checkLine(name, "dataset name");
    const budget = budgetUnits(exactDecimal(request.budget, "budget"));
    if (!request.occupancyIsPublic)
      throw new VeilgridError(
        "USAGE",
        `dataset ${quoteForMessage(name)}: who was where how often is published and not protected; add --occupancy-is-public if that is acceptable`,
      );
    const keyCheck = request.hashUsers ? usersKeyCheck(this.#context.usersKey) : null;
    await this.#context.store.transact(async (state) => {
      if ((await state.datasets()).some((row) => row.name === name))
        throw new VeilgridError(
          "LEDGER_CONFLICT",
          `the ledger has a dataset ${quoteForMessage(name)} already; name another or raise its budget with veilgrid ledger raise`,
        );
      const time = this.#context.clock();
      await state.putDataset({ name, budget, created: time.toISOString(), usersKeyCheck: keyCheck });
      const entry = { kind: "init", dataset: name, budget: String(budget), usersKeyCheck: keyCheck } as const;
      await appendToJournal(state, time, entry);
    });
  }

  /** Raises a dataset's budget, never lowers it, and records why (docs/mathematics.md, Theorem 14). */
  async raise(request: RaiseRequest): Promise<void> {
    checkLine(request.reason, "reason", 1_000);
    const budget = budgetUnits(exactDecimal(request.budget, "budget"));
    await this.#context.store.transact(async (state) => {
      const dataset = await datasetNamed(state, request.dataset);
      if (budget <= dataset.budget)
        throw new VeilgridError(
          "PARAMETER_INVALID",
          `budget ${lossOfUnits(budget)} is not above the budget ${lossOfUnits(dataset.budget)} of dataset ${quoteForMessage(dataset.name)}; budgets only go up`,
        );
      await state.putDataset({ ...dataset, budget });
      const { name } = dataset;
      const entry = { kind: "raise", dataset: name, budget: String(budget), reason: request.reason } as const;
      await appendToJournal(state, this.#context.clock(), entry);
    });
  }

  /** Refuses a loss that is above the whole budget, before anyone's balance is looked at. */
  async checkAffordable(name: string, loss: Rational): Promise<void> {
    const dataset = await this.#context.store.transact((state) => datasetNamed(state, name), "read");
    const needed = loss.multiply(Rational.of(LOSS_UNITS_PER_ONE)).ceilToInteger();
    checkFit(dataset, needed > dataset.budget ? { needed, left: dataset.budget } : undefined);
  }

  /** What `reserve` would charge; changes nothing. */
  price(request: PriceRequest): Promise<Price> {
    return price(this.#context, request);
  }

  /** Charges the parts that are new under this key; when it returns, the charge is on disk. */
  reserve(request: ReserveRequest): Promise<Reservation> {
    return reserve(this.#context, request);
  }

  /** Makes texts final, and returns what is stored: a part keeps the first text it was committed with (docs/mathematics.md, Theorem 14). Disclose what this returns, nothing else. */
  async commit(request: CommitRequest): Promise<Committed> {
    const texts = new Map(request.parts);
    for (const text of texts.values()) checkText(text, "a part's text");
    return this.#context.store.transact(async (state) => {
      const release = await releaseNamed(state, request);
      checkPlan(release, request.planHash);
      const { dataset, key } = release;
      const rows = new Map((await state.parts(dataset, key)).map((row) => [row.part, row]));
      const hashes: Array<[string, string]> = [];
      for (const [part, text] of texts) {
        const row = rows.get(part);
        if (row === undefined || row.state === "void")
          throw new VeilgridError(
            "RESERVATION_VOID",
            `part ${quoteForMessage(part)} of release ${quoteForMessage(key)} is not reserved, or was given up; reserve it again`,
          );
        if (row.state === "committed") continue;
        await state.putPart({ ...row, state: "committed", sha256: sha256(text) }, text);
        hashes.push([part, sha256(text)]);
      }
      if (hashes.length > 0)
        await appendToJournal(state, this.#context.clock(), { kind: "commit", dataset, key, parts: hashes });
      return committedOf(state, release, [...texts.keys()]);
    });
  }

  /** The texts of the asked parts that are committed, of all such parts if none are named; undefined if there is no such release. */
  async committed({ dataset, key, parts }: CommittedRequest): Promise<Committed | undefined> {
    return this.#context.store.transact(async (state) => {
      const release = await state.release(dataset, key);
      if (release === undefined) return undefined;
      // Only what is committed has a text, so that one part among thousands is found at once.
      if (parts !== undefined) return committedOf(state, release, [...new Set(parts)]);
      const done = (await state.parts(dataset, key)).filter((row) => row.state === "committed");
      return committedOf(
        state,
        release,
        done.map(({ part }) => part),
      );
    }, "read");
  }

  /** Gives up what is reserved but not committed, and refunds it: nothing of it was ever disclosed (docs/mathematics.md, Theorem 14). */
  async void(request: ReleaseName): Promise<Voided> {
    return this.#context.store.transact(async (state) => {
      const { dataset, key } = await releaseNamed(state, request);
      const rows = await state.parts(dataset, key);
      const spent = new Set(rows.filter((row) => row.state === "committed").map((row) => row.reservation));
      const pending = rows.filter((row) => row.state === "reserved");
      const given = pending.filter((row) => !spent.has(row.reservation));
      if (given.length === 0) throw nothingToVoid(key, pending);
      const ids = new Set(given.map((row) => row.reservation));
      for (const reservation of await state.reservations(dataset, key)) {
        if (!ids.has(reservation.id)) continue;
        await refund(state, reservation);
        await state.putReservation({ ...reservation, refunded: true });
      }
      for (const row of given) await state.putPart({ ...row, state: "void" });
      const parts = given.map((row) => row.part);
      const entry = { kind: "void", dataset, key, parts, reservations: [...ids] } as const;
      await appendToJournal(state, this.#context.clock(), entry);
      const kept = pending.filter((row) => !ids.has(row.reservation)).map((row) => row.part);
      return { parts: parts.filter(isGrid), kept: kept.filter(isGrid) };
    });
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

  /** Recomputes everything from the journal. */
  async verify(): Promise<Verification> {
    return this.#read(verifyState);
  }

  /** Which other datasets of this ledger charge some of the same users: their losses add up, their budgets do not know it. */
  async overlap(request: { readonly dataset: string; readonly users: Iterable<string> }): Promise<Overlap> {
    return this.#read((state) => overlapOf(state, { ...request, usersKey: this.#context.usersKey }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.store[Symbol.asyncDispose]();
  }

  #read<Result>(work: (state: LedgerState) => Promise<Result>): Promise<Result> {
    return this.#context.store.transact(work, "read");
  }
}

async function committedOf(state: LedgerState, release: ReleaseRow, parts: readonly string[]): Promise<Committed> {
  const { planHash, header } = release;
  return { planHash, header, texts: await soundTexts(state, release, parts) };
}

function nothingToVoid(key: string, pending: readonly PartRow[]): VeilgridError {
  const release = `release ${quoteForMessage(key)}`;
  return new VeilgridError(
    "LEDGER_CONFLICT",
    pending.length === 0
      ? `nothing is pending under ${release}; what is committed stays charged`
      : `${release}: the ${pending.length} pending parts were charged as one with committed ones and are paid for; finish them with veilgrid ledger resume`,
  );
}
