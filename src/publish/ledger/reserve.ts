/** Reserves a release: every user is charged its own loss for the parts that are new, before a value is read. */
import type { Rational } from "../../core/arithmetic/index.ts";
import { VeilgridError } from "../../core/errors/index.ts";
import { appraise, charge, checkFit, shortageText, type UserCharges } from "./charges.ts";
import { appendToJournal, nextLine } from "./journal.ts";
import { checkPlan, datasetNamed, type LedgerContext, type ReleaseName, soundTexts } from "./ledger-context.ts";
import { lossOfUnits } from "./loss-units.ts";
import type { LedgerState } from "./store.ts";
import { checkLine, checkText, sha256 } from "./stored-text.ts";
import { userNaming } from "./users.ts";

export interface ReserveRequest extends ReleaseName {
  readonly planHash: string;
  /** Kept from the first reservation under this key. */
  readonly header: string;
  readonly parts: readonly string[];
  /** Every user's loss by these parts together. Called within the transaction, so it must not wait for the ledger. */
  readonly chargesOf: (parts: readonly string[]) => UserCharges;
  /** Throws if a new release does not go with the dataset's first one, whose header it is given. Called within the transaction. */
  readonly checkFirst?: ((header: string) => void) | undefined;
  /** Throws if this request does not go with the header that was reserved under its key. Called within the transaction. */
  readonly checkKnown?: ((header: string) => void) | undefined;
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

export type PriceRequest = Omit<ReserveRequest, "header" | "separately">;

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

/** Charges the parts that are new under this key, in one transaction; when it returns, the charge is on disk (docs/mathematics.md, Theorem 14). */
export async function reserve(context: LedgerContext, request: ReserveRequest): Promise<Reservation> {
  const { key, planHash, parts } = request;
  checkLine(key, "release key");
  checkLine(planHash, "plan hash");
  checkText(request.header, "the release's header");
  if (parts.length === 0 || new Set(parts).size < parts.length)
    throw new VeilgridError("PARAMETER_INVALID", "a release needs parts, each of them once");
  return context.store.transact(async (state) => {
    const { dataset, known, states, chargesOf } = await lookUp(state, context, request);
    const { name } = dataset;
    const header = known?.header ?? request.header;
    const charged = parts.filter((part) => !states.has(part));
    const time = context.clock();
    if (charged.length > 0 && known === undefined)
      await state.putRelease({ dataset: name, key, planHash, header, created: time.toISOString() });
    // A refusal speaks of all parts together, not of the one that no longer fits.
    if (request.separately)
      checkFit(dataset, (await appraise(state, { dataset, charges: chargesOf(charged) })).shortage);
    const together = charged.length > 0 ? [charged] : [];
    for (const lot of request.separately ? charged.map((part) => [part]) : together) {
      const id = await nextLine(state);
      const charges = chargesOf(lot);
      const { chunks, users, largest, chargesSha256 } = await charge(state, { dataset, reservation: id, charges });
      await state.putReservation({ id, dataset: name, key, chunks, users, largest, refunded: false });
      for (const part of lot)
        await state.putPart({ dataset: name, key, part, state: "reserved", reservation: id, sha256: null });
      await appendToJournal(state, time, {
        ...{ kind: "reserve", dataset: name, key, planHash, headerSha256: sha256(header) },
        ...{ parts: lot, users, largest: String(largest), chargesSha256 },
      });
    }
    const done = parts.filter((part) => states.get(part) === "committed");
    return {
      header,
      committed: await soundTexts(state, { dataset: name, key }, done),
      charged,
      toCompute: parts.filter((part) => states.get(part) !== "committed"),
      resumed: parts.some((part) => states.get(part) === "reserved"),
    };
  });
}

/** What `reserve` would charge; changes nothing. */
export async function price(context: LedgerContext, request: PriceRequest): Promise<Price> {
  return context.store.transact(async (state) => {
    const { dataset, states, chargesOf } = await lookUp(state, context, request);
    const parts = request.parts.filter((part) => !states.has(part));
    const { users, largest, largestAfter, shortage } = await appraise(state, { dataset, charges: chargesOf(parts) });
    return {
      parts,
      users,
      loss: lossOfUnits(largest),
      lossAfter: lossOfUnits(largestAfter),
      budget: lossOfUnits(dataset.budget),
      refusal: shortage === undefined ? null : shortageText(dataset, shortage),
    };
  }, "read");
}

/** A release that may not exist yet, held to what was released before; its parts that are paid for, and what others cost the users as the dataset names them. */
async function lookUp(state: LedgerState, context: LedgerContext, request: PriceRequest) {
  const dataset = await datasetNamed(state, request.dataset);
  const known = await state.release(dataset.name, request.key);
  if (known !== undefined) {
    checkPlan(known, request.planHash);
    request.checkKnown?.(known.header);
  } else if (request.checkFirst !== undefined) {
    const [first] = await state.releases(dataset.name);
    if (first !== undefined) request.checkFirst(first.header);
  }
  const paid = (await state.parts(dataset.name, request.key)).filter((row) => row.state !== "void");
  function* chargesOf(parts: readonly string[]): Generator<readonly [string, bigint]> {
    if (parts.length === 0) return;
    const nameOf = userNaming(dataset, context.usersKey);
    for (const [user, units] of request.chargesOf(parts)) yield [nameOf(user), units];
  }
  return { dataset, known, states: new Map(paid.map((row) => [row.part, row.state])), chargesOf };
}
