/** Says why a store cannot be used, and reads values that a failing disk or another program may have changed. */
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";

/** A row that no ledger writes. Stores report it as a ledger that is damaged. */
export class DamagedRow extends Error {}

export const DAMAGED = "is damaged; restore it from a backup, and do not release before";

/** `place` is the file or address of the ledger. */
export function ledgerUnavailable(place: string, what: string, cause?: unknown): VeilgridError {
  return new VeilgridError("LEDGER_UNAVAILABLE", `ledger ${quoteForMessage(place)} ${what}`, { cause });
}

/** Losses are whole numbers of units. */
export function lossUnits(text: unknown): bigint {
  if (typeof text !== "string" || !/^\d+$/.test(text)) throw new DamagedRow();
  return BigInt(text);
}

/** A budget or a charge, which is above 0. */
export function positiveUnits(text: unknown): bigint {
  const units = lossUnits(text);
  if (units === 0n) throw new DamagedRow();
  return units;
}

/** What `work` cannot read is damaged. */
export function readOrDamaged<Result>(work: () => Result): Result {
  try {
    return work();
  } catch {
    throw new DamagedRow();
  }
}
