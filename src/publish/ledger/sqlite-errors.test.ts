/** Every failure of SQLite is one line that says what became of the ledger and what to do. */
import { expect, test } from "vitest";
import { VeilgridError } from "../../core/errors/index.ts";
import { asLedgerError, isBusy } from "./sqlite-store.ts";

/** As the driver throws them: the extended code, whose last byte is the primary one. */
const failure = (rawCode: unknown): Error => Object.assign(new Error("words of the driver"), { rawCode });

test.each([
  [[5, 5 | (2 << 8), 6], "is locked by another process; nothing was changed", true],
  [[8], "cannot be written; nothing was changed", false],
  [[10, 10 | (4 << 8)], "could not be read or written by the disk", false],
  [[11], "is damaged; restore it from a backup", false],
  [[13], "cannot grow, the disk is full; nothing was changed", false],
  [[14], "cannot be opened", false],
  [[26], "is not a ledger", false],
])("codes %j: %s", (codes, sentence, busy) => {
  for (const error of codes.map(failure)) {
    expect(asLedgerError(error, "a.db")).toMatchObject({
      code: "LEDGER_UNAVAILABLE",
      message: expect.stringMatching(`^ledger 'a.db' ${sentence}`),
      cause: error,
    });
    expect(isBusy(error)).toBe(busy);
  }
});

test("what is not of the database passes unchanged", () => {
  const own = new VeilgridError("USAGE", "no");
  for (const error of [own, null, undefined, "text", new Error("other"), failure("5")]) {
    expect(asLedgerError(error, "a.db")).toBe(error);
    expect(isBusy(error)).toBe(false);
  }
});
