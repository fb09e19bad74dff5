/** Charges every user its own loss, and refunds it, a chunk of users at a time. All arithmetic on balances is here. */
import { createHash } from "node:crypto";
import { Rational } from "../../core/arithmetic/index.ts";
import { invariant, itemAt, quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { checkpoint } from "../../core/planning/index.ts";
import { larger, lossOfUnits, threeDigitsDown, threeDigitsUp } from "./loss-units.ts";
import type { DatasetRow, LedgerState, ReservationRow } from "./store.ts";
import { DamagedRow, positiveUnits, readOrDamaged } from "./store-failures.ts";

/** A user's id and loss in units of 10⁻¹⁸; a generator keeps no BigInt alive per user. */
export type UserCharges = Iterable<readonly [user: string, units: bigint]>;

const USERS_PER_CHUNK = 2_000;
const BALANCES_PER_PAGE = 5_000;
/** After so many, whoever else has work gets a turn. */
const USERS_PER_CHECKPOINT = 20 * USERS_PER_CHUNK;

/** Adds the charges to the balances, or throws BUDGET_EXCEEDED for the user whom they fit worst (docs/mathematics.md, Theorem 14). */
export async function charge(
  state: LedgerState,
  request: { readonly dataset: DatasetRow; readonly reservation: number; readonly charges: UserCharges },
) {
  const { dataset, reservation } = request;
  const hash = createHash("sha256");
  let chunks = 0;
  const { users, largest, shortage } = await appraise(state, request, async (charges, balances) => {
    const text = JSON.stringify([...charges].map(([user, units]) => [user, String(units)]));
    hash.update(text);
    await state.putCharges(reservation, chunks, text);
    await state.putBalances(dataset.name, balances);
    chunks += 1;
  });
  checkFit(dataset, shortage);
  return { chunks, users, largest, chargesSha256: hash.digest("hex") };
}

/**
 * Looks at every charge, and hands over chunks with the balances they lead to for as long as all fit: how many users, their largest
 * charge and balance, and what the user lacks whom the charges fit worst.
 */
export async function appraise(
  state: LedgerState,
  { dataset, charges }: { readonly dataset: DatasetRow; readonly charges: UserCharges },
  take?: (charges: ReadonlyMap<string, bigint>, balances: ReadonlyMap<string, bigint>) => Promise<void>,
) {
  let users = 0;
  let largest = 0n;
  let largestAfter = 0n;
  let shortage: Shortage | undefined;
  for (const chunk of inChunks(charges)) {
    const after = new Map<string, bigint>();
    for (const { user, units: needed, balance } of await balancesOf(state, dataset.name, chunk)) {
      const left = dataset.budget - balance;
      after.set(user, balance + needed);
      largest = larger(largest, needed);
      largestAfter = larger(largestAfter, balance + needed);
      if (needed > left && (shortage === undefined || left * shortage.needed < shortage.left * needed))
        shortage = { needed, left };
    }
    if (shortage === undefined) await take?.(chunk, after);
    users += chunk.size;
    if (users % USERS_PER_CHECKPOINT === 0) await checkpoint(undefined);
  }
  return { users, largest, largestAfter, shortage };
}

/** Each charge beside its user's balance before it. */
export async function balancesOf(state: LedgerState, dataset: string, charges: ReadonlyMap<string, bigint>) {
  const balances = await state.balances(dataset, [...charges.keys()]);
  return [...charges].map(([user, units], index) => ({ user, units, balance: itemAt(balances, index) }));
}

/** Takes a reservation's charges off the balances again, each once (docs/mathematics.md, Theorem 14). */
export async function refund(state: LedgerState, reservation: ReservationRow): Promise<void> {
  for await (const { charges } of chargeChunks(state, reservation)) {
    const charged = await balancesOf(state, reservation.dataset, charges);
    const after = new Map(charged.map(({ user, units, balance }) => [user, balance - units]));
    // Only balances or charges that somebody else has changed.
    if ([...after.values()].some((balance) => balance < 0n)) throw new DamagedRow();
    await state.putBalances(reservation.dataset, after);
  }
}

export async function* chargeChunks(state: LedgerState, reservation: Pick<ReservationRow, "id" | "chunks">) {
  for (let chunk = 0; chunk < reservation.chunks; chunk++) {
    const text = await state.charges(reservation.id, chunk);
    if (text === undefined) throw new DamagedRow();
    yield { text, charges: readCharges(text) };
  }
}

/** Every user's balance in a dataset, a page at a time. */
export async function* balancePages(state: LedgerState, dataset: string): AsyncGenerator<Array<[string, bigint]>> {
  for (let after: string | undefined; ; ) {
    const page = await state.balancesAfter(dataset, after, BALANCES_PER_PAGE);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    [after] = last;
  }
}

function readCharges(text: string): Map<string, bigint> {
  const list: unknown = readOrDamaged(() => JSON.parse(text));
  if (!Array.isArray(list)) throw new DamagedRow();
  return new Map(
    list.map((charge: unknown) => {
      if (!Array.isArray(charge) || typeof charge[0] !== "string") throw new DamagedRow();
      return [charge[0], positiveUnits(charge[1])];
    }),
  );
}

/** Charges above 0; a user who appears twice within a chunk is charged the sum, as it is across chunks. */
function* inChunks(charges: UserCharges): Generator<Map<string, bigint>> {
  let chunk = new Map<string, bigint>();
  for (const [user, units] of charges) {
    invariant(units >= 0n, "a charge is negative");
    if (units === 0n) continue;
    chunk.set(user, (chunk.get(user) ?? 0n) + units);
    if (chunk.size < USERS_PER_CHUNK) continue;
    yield chunk;
    chunk = new Map();
  }
  if (chunk.size > 0) yield chunk;
}

/** Of a user whom charges do not fit. */
interface Shortage {
  readonly needed: bigint;
  readonly left: bigint;
}

export function checkFit(dataset: DatasetRow, shortage: Shortage | undefined): void {
  if (shortage !== undefined) throw new VeilgridError("BUDGET_EXCEEDED", shortageText(dataset, shortage));
}

/** Says what is needed, what is left and what would fit, each rounded to the safe side, and names nobody. The budget is as somebody wrote it. */
export function shortageText(dataset: DatasetRow, { needed, left }: Shortage): string {
  const remedy =
    1000n * left >= needed
      ? `a plan with ε multiplied by at most ${threeDigitsDown(Rational.of(left, needed))} fits (with --loss, try the same), or raise the budget with veilgrid ledger raise`
      : "its budget is spent; raise the budget with veilgrid ledger raise";
  return (
    `the release needs a loss of ${threeDigitsUp(lossOfUnits(needed))}; of the budget ${lossOfUnits(dataset.budget)} of dataset ` +
    `${quoteForMessage(dataset.name)}, the user with the least room has ${threeDigitsDown(lossOfUnits(left))} left; ${remedy}`
  );
}
