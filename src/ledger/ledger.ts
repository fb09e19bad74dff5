/** The budget machine: who may spend how much, what was reserved, what was committed. Every rule is here; stores only keep rows. */
import { Rational } from "../arithmetic/index.ts";
import { quoteForMessage, VeilgridError } from "../errors/index.ts";
import { LOSS_UNITS_PER_ONE } from "../influence/index.ts";
import { appraise, charge, refund, shortageText, type UserCharges } from "./charges.ts";
import { appendToJournal, nextLine } from "./journal.ts";
import { budgetUnits, lossOfUnits } from "./loss-units.ts";
import { checkLine, checkText } from "./names.ts";
import { type Overlap, overlapOf } from "./overlap.ts";
import { sha256 } from "./sha256.ts";
import { moreReleases, type Standing, standingOf } from "./standing.ts";
import type { DatasetRow, JournalRow, LedgerState, LedgerStore, PartRow, PartState, ReleaseRow } from "./store.ts";
import { userNaming, usersKeyCheck } from "./user-names.ts";
import { type Verification, verifyState } from "./verify.ts";

export interface LedgerOptions {
  readonly clock?: (() => Date) | undefined;
  /** The curator's secret, for datasets that keep users as hashes. */
  readonly usersKey?: string | undefined;
}

export interface InitRequest {
  readonly dataset: string;
  /** The loss that any user may reach. */
  readonly budget: Rational;
  readonly occupancyIsPublic: boolean;
  /** Keep HMAC-SHA256 of ids under the ledger's `usersKey` instead of ids. */
  readonly hashUsers?: boolean | undefined;
}

export interface ReleaseName {
  readonly dataset: string;
  readonly key: string;
}

export interface ReserveRequest extends ReleaseName {
  readonly planHash: string;
  /** Kept from the first reservation under this key. */
  readonly header: string;
  readonly parts: readonly string[];
  /** Every user's loss by these parts together. Called within the transaction, so it must not wait for the ledger. */
  readonly chargesOf: (parts: readonly string[]) => UserCharges;
  /** Called within the transaction with the header of the dataset's first release, which this one has to go with; throws if it does not. */
  readonly checkFirst?: ((header: string) => void) | undefined;
  /** Charge each part by itself, so that it can be given up by itself; otherwise all new parts are charged as one. */
  readonly separately?: boolean | undefined;
}

export interface Reservation {
  readonly header: string;
  /** Parts that are done already, and the texts to disclose. */
  readonly committed: ReadonlyMap<string, string>;
  /** Parts that this call charged for. */
  readonly charged: readonly string[];
  /** Parts to compute and commit, in the order asked. */
  readonly toCompute: readonly string[];
  /** Some of them were left reserved by an earlier attempt. */
  readonly resumed: boolean;
}

export interface CommitRequest extends ReleaseName {
  readonly planHash: string;
  readonly parts: Iterable<readonly [part: string, text: string]>;
}

/** What a reservation would cost. */
export interface Price {
  /** Parts that would be charged; the others are paid for. */
  readonly parts: readonly string[];
  readonly users: number;
  /** The largest charge of any user. */
  readonly loss: Rational;
  /** The largest loss that a charged user would have reached. */
  readonly lossAfter: Rational;
  readonly budget: Rational;
  /** Why it would be refused; null if it fits. */
  readonly refusal: string | null;
}

/** What may be disclosed: these bytes, never the caller's own copy. */
export interface Committed {
  readonly planHash: string;
  readonly header: string;
  readonly texts: ReadonlyMap<string, string>;
}

export interface Voided {
  /** Given up and refunded. */
  readonly parts: readonly string[];
  /** Still reserved and paid for: they were charged as one with parts that are committed. */
  readonly kept: readonly string[];
}

export class Ledger implements AsyncDisposable {
  readonly #store: LedgerStore;
  readonly #clock: () => Date;
  readonly #usersKey: string | undefined;

  constructor(store: LedgerStore, options: LedgerOptions = {}) {
    this.#store = store;
    this.#clock = options.clock ?? (() => new Date());
    this.#usersKey = options.usersKey;
  }

  /** Makes a dataset. */
  async init(request: InitRequest): Promise<void> {
    const { dataset: name } = request;
    checkLine(name, "dataset name");
    const budget = budgetUnits(request.budget);
    if (!request.occupancyIsPublic)
      throw new VeilgridError(
        "USAGE",
        `dataset ${quoteForMessage(name)}: who was where how often is published and not protected; add --occupancy-is-public if that is acceptable`,
      );
    const keyCheck = request.hashUsers ? usersKeyCheck(this.#usersKey) : null;
    await this.#store.transact(async (state) => {
      if ((await state.datasets()).some((row) => row.name === name))
        throw new VeilgridError(
          "LEDGER_CONFLICT",
          `the ledger has a dataset ${quoteForMessage(name)} already; name another or raise its budget with veilgrid ledger raise`,
        );
      const time = this.#clock();
      await state.putDataset({ name, budget, created: time.toISOString(), usersKeyCheck: keyCheck });
      await appendToJournal(state, time, {
        kind: "init",
        dataset: name,
        budget: String(budget),
        usersKeyCheck: keyCheck,
      });
    });
  }

  /** Charges the parts that are new under this key; when it returns, the charge is on disk. */
  async reserve(request: ReserveRequest): Promise<Reservation> {
    const { key, planHash, parts } = request;
    checkLine(key, "release key");
    checkLine(planHash, "plan hash");
    checkText(request.header, "the release's header");
    if (parts.length === 0 || new Set(parts).size < parts.length)
      throw new VeilgridError("PARAMETER_INVALID", "a release needs parts, each of them once");
    return this.#store.transact(async (state) => {
      const { dataset, release: known, states } = await lookUp(state, request);
      const charged = parts.filter((part) => !states.has(part));
      if (known === undefined && request.checkFirst !== undefined) {
        const [first] = await state.releases(dataset.name);
        if (first !== undefined) request.checkFirst(first.header);
      }
      if (charged.length > 0) {
        const time = this.#clock();
        const { header } = request;
        const release = known ?? { dataset: dataset.name, key, planHash, header, created: time.toISOString() };
        if (known === undefined) await state.putRelease(release);
        // A refusal speaks of all parts together, not of the one that no longer fits.
        if (request.separately) await this.#checkFit(state, dataset, request.chargesOf(charged));
        const lots = request.separately ? charged.map((part) => [part]) : [charged];
        for (const lot of lots) await this.#reserveLot(state, { ...request, dataset, release, lot, time });
      }
      const done = parts.filter((part) => states.get(part) === "committed");
      return {
        header: known?.header ?? request.header,
        committed: await soundTexts(state, { dataset: dataset.name, key }, done),
        charged,
        toCompute: parts.filter((part) => states.get(part) !== "committed"),
        resumed: parts.some((part) => states.get(part) === "reserved"),
      };
    });
  }

  async #checkFit(state: LedgerState, dataset: DatasetRow, charges: UserCharges): Promise<void> {
    const { shortage } = await appraise(state, { dataset, charges: this.#named(dataset, charges) });
    if (shortage !== undefined) throw new VeilgridError("BUDGET_EXCEEDED", shortageText(dataset, shortage));
  }

  async #reserveLot(
    state: LedgerState,
    request: {
      readonly dataset: DatasetRow;
      readonly release: ReleaseRow;
      readonly lot: readonly string[];
      readonly time: Date;
      readonly chargesOf: ReserveRequest["chargesOf"];
    },
  ): Promise<void> {
    const { dataset, release, lot } = request;
    const { key } = release;
    const id = await nextLine(state);
    const { chunks, users, largest, chargesSha256 } = await charge(state, {
      dataset,
      reservation: id,
      charges: this.#named(dataset, request.chargesOf(lot)),
    });
    await state.putReservation({ id, dataset: dataset.name, key, chunks, users, largest, refunded: false });
    for (const part of lot)
      await state.putPart({ dataset: dataset.name, key, part, state: "reserved", reservation: id, sha256: null });
    await appendToJournal(state, request.time, {
      kind: "reserve",
      dataset: dataset.name,
      key,
      planHash: release.planHash,
      headerSha256: sha256(release.header),
      parts: lot,
      users,
      largest: String(largest),
      chargesSha256,
    });
  }

  /** What `reserve` would charge; changes nothing. */
  async price(request: Pick<ReserveRequest, "dataset" | "key" | "planHash" | "parts" | "chargesOf">): Promise<Price> {
    return this.#read(async (state) => {
      const { dataset, states } = await lookUp(state, request);
      const parts = request.parts.filter((part) => !states.has(part));
      const charges = parts.length === 0 ? [] : this.#named(dataset, request.chargesOf(parts));
      const { users, largest, largestAfter, shortage } = await appraise(state, { dataset, charges });
      return {
        parts,
        users,
        loss: lossOfUnits(largest),
        lossAfter: lossOfUnits(largestAfter),
        budget: lossOfUnits(dataset.budget),
        refusal: shortage === undefined ? null : shortageText(dataset, shortage),
      };
    });
  }

  /** Refuses a loss that is above the whole budget, before anyone's balance is looked at. */
  async checkAffordable(name: string, loss: Rational): Promise<void> {
    const dataset = await this.#read((state) => datasetNamed(state, name));
    const needed = loss.multiply(Rational.of(LOSS_UNITS_PER_ONE)).ceilToInteger();
    if (needed > dataset.budget)
      throw new VeilgridError("BUDGET_EXCEEDED", shortageText(dataset, { needed, left: dataset.budget }));
  }

  /** Makes texts final. A part keeps the first text it was committed with: disclose what this returns, nothing else. */
  async commit(request: CommitRequest): Promise<Committed> {
    const texts = new Map(request.parts);
    for (const text of texts.values()) checkText(text, "a part's text");
    return this.#store.transact(async (state) => {
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
        await appendToJournal(state, this.#clock(), { kind: "commit", dataset, key, parts: hashes });
      return committedOf(state, release, [...texts.keys()]);
    });
  }

  /** The texts of the asked parts that are committed; of all such parts if none are named. */
  async committed(request: ReleaseName & { readonly parts?: readonly string[] | undefined }): Promise<Committed> {
    return this.#read(async (state) => {
      const release = await releaseNamed(state, request);
      // Only what is committed has a text, so that one part among thousands is found at once.
      if (request.parts !== undefined) return committedOf(state, release, [...new Set(request.parts)]);
      const rows = await state.parts(request.dataset, request.key);
      const parts = rows.filter((row) => row.state === "committed").map((row) => row.part);
      return committedOf(state, release, parts);
    });
  }

  /** Gives up what is reserved but not committed, and refunds it: nothing of it was ever disclosed. */
  async void(request: ReleaseName): Promise<Voided> {
    return this.#store.transact(async (state) => {
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
      await appendToJournal(state, this.#clock(), { kind: "void", dataset, key, parts, reservations: [...ids] });
      return { parts, kept: pending.filter((row) => !ids.has(row.reservation)).map((row) => row.part) };
    });
  }

  /** Raises a dataset's budget, and records why. */
  async raise(request: {
    readonly dataset: string;
    readonly budget: Rational;
    readonly reason: string;
  }): Promise<void> {
    checkLine(request.reason, "reason", 1_000);
    const budget = budgetUnits(request.budget);
    await this.#store.transact(async (state) => {
      const dataset = await datasetNamed(state, request.dataset);
      if (budget <= dataset.budget)
        throw new VeilgridError(
          "PARAMETER_INVALID",
          `budget ${lossOfUnits(budget)} is not above the budget ${lossOfUnits(dataset.budget)} of dataset ${quoteForMessage(dataset.name)}; budgets only go up`,
        );
      await state.putDataset({ ...dataset, budget });
      const { name } = dataset;
      const entry = { kind: "raise", dataset: name, budget: String(budget), reason: request.reason } as const;
      await appendToJournal(state, this.#clock(), entry);
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
    return this.#read((state) => overlapOf(state, { ...request, usersKey: this.#usersKey }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store[Symbol.asyncDispose]();
  }

  *#named(dataset: DatasetRow, charges: UserCharges): Generator<readonly [string, bigint]> {
    const nameOf = userNaming(dataset, this.#usersKey);
    for (const [user, units] of charges) yield [nameOf(user), units];
  }

  #read<Result>(work: (state: LedgerState) => Promise<Result>): Promise<Result> {
    return this.#store.transact(work, "read");
  }
}

async function datasetNamed(state: LedgerState, name: string): Promise<DatasetRow> {
  const datasets = await state.datasets();
  const found = datasets.find((row) => row.name === name);
  if (found !== undefined) return found;
  const others = datasets.map((row) => quoteForMessage(row.name)).join(", ");
  throw new VeilgridError(
    "LEDGER_NOT_FOUND",
    `the ledger has no dataset ${quoteForMessage(name)}; it has ${others || "none"}; make it with veilgrid ledger init`,
  );
}

/** A release that may not exist yet, and its parts that are paid for. */
async function lookUp(
  state: LedgerState,
  request: ReleaseName & { readonly planHash: string },
): Promise<{ dataset: DatasetRow; release: ReleaseRow | undefined; states: ReadonlyMap<string, PartState> }> {
  const dataset = await datasetNamed(state, request.dataset);
  const release = await state.release(dataset.name, request.key);
  if (release !== undefined) checkPlan(release, request.planHash);
  const paid = (await state.parts(dataset.name, request.key)).filter((row) => row.state !== "void");
  return { dataset, release, states: new Map(paid.map((row) => [row.part, row.state])) };
}

async function releaseNamed(state: LedgerState, { dataset, key }: ReleaseName): Promise<ReleaseRow> {
  const found = await state.release((await datasetNamed(state, dataset)).name, key);
  if (found !== undefined) return found;
  throw new VeilgridError(
    "LEDGER_NOT_FOUND",
    `dataset ${quoteForMessage(dataset)} has no release ${quoteForMessage(key)}; see its keys with veilgrid ledger show`,
  );
}

function checkPlan(release: ReleaseRow, planHash: string): void {
  if (release.planHash === planHash) return;
  throw new VeilgridError(
    "KEY_CONFLICT",
    `release ${quoteForMessage(release.key)} belongs to plan ${release.planHash.slice(0, 12)}, not to ${planHash.slice(0, 12)}; choose another --key`,
  );
}

async function committedOf(state: LedgerState, release: ReleaseRow, parts: readonly string[]): Promise<Committed> {
  return {
    planHash: release.planHash,
    header: release.header,
    texts: await soundTexts(state, release, parts),
  };
}

/** Texts as they were committed. What was altered since is not given out as if it had been released. */
async function soundTexts(
  state: LedgerState,
  { dataset, key }: ReleaseName,
  parts: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const [part, { text, sha256: recorded }] of await state.texts(dataset, key, parts)) {
    if (sha256(text) !== recorded)
      throw new VeilgridError(
        "LEDGER_UNAVAILABLE",
        `part ${quoteForMessage(part)} of release ${quoteForMessage(key)} is not the text that was committed: the ledger was altered, and nothing of this release is given out; run veilgrid ledger verify`,
      );
    texts.set(part, text);
  }
  return texts;
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
