/** docs/mathematics.md carries the output of examples/mathematics.mjs, word for word. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("the worked numbers are what the program prints", () => {
  const program = fileURLToPath(new URL("../examples/mathematics.mjs", import.meta.url));
  const printed = execFileSync(process.execPath, [program], { encoding: "utf8" });
  const page = readFileSync(new URL("../docs/mathematics.md", import.meta.url), "utf8");
  expect(page.slice(page.lastIndexOf("\n```\n", page.length - 6) + 5, page.lastIndexOf("```"))).toBe(printed);
  expect(printed.split("\n").length).toBeGreaterThan(30);
});
