/** What a store may find and no ledger writes: rows that a failing disk or somebody else has changed. */

/** Stores tell it as a ledger that is damaged. */
export class DamagedRow extends Error {}

export const DAMAGED = "is damaged; restore it from a backup, and do not release before";

/** Losses are whole numbers of units. */
export function lossUnits(text: unknown): bigint {
  if (typeof text !== "string" || !/^\d+$/.test(text)) throw new DamagedRow();
  return BigInt(text);
}

/** Of a budget or a charge, which are above 0. */
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
