/** Every function that the promise rests on is the text that was held against its statement in docs/mathematics.md. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { rowsOf, troubles } from "../scripts/proofs.mjs";

const root = path.join(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");
/** The tree with one file changed. */
const changed =
  (file: string, from: string, to: string) =>
  (asked: string): string => {
    const text = read(asked);
    if (asked !== file) return text;
    expect(text).toContain(from);
    return text.replace(from, to);
  };

test("docs/proofs.md: functions, statements and hashes", () => {
  expect(rowsOf(read("docs/proofs.md")).length).toBeGreaterThan(60);
  expect(troubles(read)).toEqual([]);
});

describe("a change is noticed", () => {
  test.each([
    [
      "a sign in the sampler",
      "src/core/noise/discrete-laplace.ts",
      "negative ? -y : y",
      "negative ? y : -y",
      /laplaceAttempt is not the text/,
    ],
    [
      "rounding of losses",
      "src/core/composition/loss.ts",
      "toLossParts(divideCeil(",
      "toLossParts(divideFloor(",
      /jointLossInGrid is not/,
    ],
    [
      "a private method",
      "src/core/noise/random-bits.ts",
      ">> BigInt(-bits & 7)",
      ">> BigInt(-bits & 3)",
      /RandomBits is not/,
    ],
    [
      "when a charge is written",
      "src/publish/ledger/reserve.ts",
      "if (charged.length > 0) {",
      "if (charged.length > 1) {",
      /reserve.ts: reserve is not/,
    ],
    [
      "a function more",
      "src/core/noise/tail.ts",
      "const HALF",
      "export function more() {}\nconst HALF",
      /more of src\/noise\/tail.ts is missing/,
    ],
    [
      "a function gone",
      "src/core/noise/bernoulli.ts",
      "function bernoulliExpWithinOne",
      "function within",
      /no function bernoulliExpWithinOne/,
    ],
    [
      "a statement gone",
      "docs/mathematics.md",
      "## Theorem 12: the sampler",
      "## The sampler",
      /no heading #theorem-12-the-sampler/,
    ],
  ])("%s", (_, file, from, to, expected) => {
    expect(troubles(changed(file, from, to))).toContainEqual(expect.stringMatching(expected));
  });

  test("but not a comment, nor spaces", () => {
    expect(
      troubles(changed("src/core/noise/tail.ts", "logs.set(delta, log)", "// Kept.\n  logs.set( delta,  log )")),
    ).toEqual([]);
    expect(troubles(changed("src/core/noise/discrete-laplace.ts", "/** One round:", "/** A round:"))).toEqual([]);
  });
});
