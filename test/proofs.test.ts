/** docs/proofs.md is what the comments say, and a function without a statement is noticed. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { proofsOf, readFiles } from "../scripts/proofs.mjs";

const files = readFiles();

test("docs/proofs.md is current; npm run proofs writes it", () => {
  const { text, problems } = proofsOf(files);
  expect(problems).toEqual([]);
  expect(text).toBe(readFileSync(new URL("../docs/proofs.md", import.meta.url), "utf8"));
});

test.each([
  [
    "an exported function without a statement",
    "src/core/noise/tail.ts",
    "const HALF",
    "export function more() {}\nconst HALF",
    /tail\.ts: the comment of more cites no statement/,
  ],
  [
    "a statement that does not exist",
    "src/core/noise/tail.ts",
    "Theorem 8)",
    "Theorem 88)",
    /tailSteps cites Theorem 88, which/,
  ],
  [
    "a statement that is gone",
    "docs/mathematics.md",
    "## Theorem 12: the sampler",
    "## The sampler",
    /bernoulliExp cites Theorem 12, which/,
  ],
])("%s is a problem", (_, file, from, to, expected) => {
  const text = files.get(file) ?? "";
  expect(text).toContain(from);
  const { problems } = proofsOf(new Map([...files, [file, text.replace(from, to)]]));
  expect(problems).toContainEqual(expect.stringMatching(expected));
});
