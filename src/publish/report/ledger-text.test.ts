/** Tests that losses in a terminal err to the safe side: shown is no less than was spent, and no more than is left. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDecimal, Rational } from "../../core/arithmetic/index.ts";
import type { Standing } from "../ledger/index.ts";
import { lossText, standingText } from "./ledger-text.ts";

function leftShown(left: Rational): string {
  const standing: Standing = {
    ...{ dataset: "buses", created: "2026-03-10T00:00:00.000Z", users: 1, usersAreHashed: false },
    ...{ budget: left, loss: Rational.ZERO, left, moreLikeLast: null },
    ...{ heaviest: [], distribution: [], releases: [], trail: [] },
  };
  return /^ {2}left +(\S+)/m.exec(standingText([standing]))![1]!;
}

const number = (shown: string): Rational => parseDecimal(shown.replaceAll(",", ""));

test("whatever the loss", () => {
  const units = fc.bigInt({ min: 10n ** 14n, max: 10n ** 24n });
  fc.assert(
    fc.property(units, (count) => {
      const loss = Rational.of(count, 10n ** 18n);
      expect(number(lossText(loss)).compare(loss)).toBeGreaterThanOrEqual(0);
      expect(number(leftShown(loss)).compare(loss)).toBeLessThanOrEqual(0);
    }),
  );
});

test.each([
  ["0", "0", "0"],
  ["1", "1.00", "1.00"],
  ["0.3", "0.30", "0.30"],
  ["0.99999999805219155", "1.00", "0.99999"],
  ["0.50000000194780845", "0.50001", "0.50"],
  ["1.000000000000000001", "1.001", "1.00"],
  ["0.000000000328961858", "3.290e-10", "3.290e-10"],
])("%s is %s spent or %s left", (loss, spent, left) => {
  expect([lossText(parseDecimal(loss)), leftShown(parseDecimal(loss))]).toEqual([spent, left]);
});
