/** A release's other end: what was reserved and will not be finished is given up and refunded. */
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { type Books, type ReleaseName, releaseNamed } from "./books.ts";
import { refund } from "./charges.ts";
import { appendToJournal } from "./journal.ts";
import type { PartRow } from "./store.ts";

export interface Voided {
  /** Given up and refunded. */
  readonly parts: readonly string[];
  /** Still reserved and paid for: they were charged as one with parts that are committed. */
  readonly kept: readonly string[];
}

/** Gives up what is reserved but not committed, and refunds it: nothing of it was ever disclosed (docs/mathematics.md, Theorem 14). */
export async function giveUp(books: Books, request: ReleaseName): Promise<Voided> {
  return books.store.transact(async (state) => {
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
    await appendToJournal(state, books.clock(), { kind: "void", dataset, key, parts, reservations: [...ids] });
    return { parts, kept: pending.filter((row) => !ids.has(row.reservation)).map((row) => row.part) };
  });
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
