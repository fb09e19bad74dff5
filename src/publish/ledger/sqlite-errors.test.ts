/** Every failure of SQLite is one line that says what became of the ledger and what to do. */
import { expect, test } from "vitest";
import { VeilgridError } from "../../core/errors/index.ts";
import { asLedgerError, isBusy } from "./sqlite-errors.ts";

/** As the driver throws them: the extended code, whose last byte is the primary one. */
const failure = (rawCode: unknown): Error => Object.assign(new Error("words of the driver"), { rawCode });

test.each([
  [5, "is locked by another process; nothing was changed; repeat when that is done"],
  [5 | (2 << 8), "is locked by another process; nothing was changed; repeat when that is done"],
  [6, "is locked by another process; nothing was changed; repeat when that is done"],
  [8, "cannot be written; nothing was changed; check the permissions of the file and its folder"],
  [10, "could not be read or written by the disk; run veilgrid ledger verify, then repeat: nothing is charged twice"],
  [
    10 | (4 << 8),
    "could not be read or written by the disk; run veilgrid ledger verify, then repeat: nothing is charged twice",
  ],
  [11, "is damaged; restore it from a backup, and do not release before"],
  [13, "cannot grow, the disk is full; nothing was changed; make room and repeat"],
  [14, "cannot be opened; check that it is a file, and the permissions of the file and its folder"],
  [26, "is not a ledger; name another file, or a new one in veilgrid ledger init"],
])("code %i", (code, sentence) => {
  const error = failure(code);
  expect(asLedgerError(error, "a.db")).toMatchObject({
    code: "LEDGER_UNAVAILABLE",
    message: `ledger 'a.db' ${sentence}`,
    cause: error,
  });
});

test("what is not of the database passes unchanged", () => {
  const own = new VeilgridError("USAGE", "no");
  for (const error of [own, null, undefined, "text", new Error("other"), failure("5")]) {
    expect(asLedgerError(error, "a.db")).toBe(error);
    expect(isBusy(error)).toBe(false);
  }
});

test("only a lock is worth waiting for", () => {
  expect([5, 5 | (2 << 8), 6, 8, 13, 26].map((code) => isBusy(failure(code)))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
