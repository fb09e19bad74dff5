/** Pages that carry printed output carry what the programs print today. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = (name: string): string => readFileSync(path.join(root, name), "utf8");
const node = (cwd: string, ...words: string[]): string =>
  execFileSync(process.execPath, words, { cwd, encoding: "utf8" });

test("docs/mathematics.md: the worked numbers", () => {
  const printed = node(root, "examples/mathematics.mjs");
  const [, shown] = /\n```\n([^`]*)```\n$/.exec(page("docs/mathematics.md")) ?? [];
  expect(shown).toBe(printed);
  expect(printed.split("\n").length).toBeGreaterThan(30);
});

test("docs/loss.svg: the picture", () => {
  expect(page("docs/loss.svg")).toBe(node(root, "examples/loss-picture.mjs"));
});

test.each(["A plan", "Your own records"])("README: '%s', by its own commands", (title) => {
  const section = page("README.md").split(`## ${title}\n`)[1]!;
  const block = section.split("```\n")[1];
  const commands = block!.split("\n").filter((line) => line.startsWith("$ npx veilgrid "));
  expect(commands).toHaveLength(2);
  const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-readme-"));
  try {
    const outputs = commands.map((line) =>
      node(folder, path.join(root, "dist/cli/main.js"), ...line.split(" ").slice(3)),
    );
    expect(block).toBe(`${commands.join("\n")}\n${outputs[1]}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("README: the program runs", () => {
  const [, program] = /```js\n([^`]*)```/.exec(page("README.md"))!;
  expect(Number(node(root, "--input-type=module", "-e", program!))).toBeGreaterThan(0.5);
});
