/** Pages that carry printed output carry what the programs print today. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tablesIn, withTables } from "../scripts/figure-tables.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = (name: string): string => readFileSync(path.join(root, name), "utf8");
const node = (cwd: string, ...words: string[]): string =>
  execFileSync(process.execPath, words, { cwd, encoding: "utf8" });

test("every script that a page or program names is there", () => {
  const { scripts } = JSON.parse(page("package.json")) as { scripts: Record<string, string> };
  const files = execFileSync("git", ["ls-files", "*.md", "*.mjs", "lab/*.ts", ".ci/*"], {
    cwd: root,
    encoding: "utf8",
  });
  const named = files
    .trimEnd()
    .split("\n")
    .flatMap((file) => [...page(file).matchAll(/npm run ([a-z]+(?:[:-][a-z]+)*)/g)].map(([, script]) => script!));
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((script) => scripts[script] === undefined)).toEqual([]);
});

test("docs/mathematics.md: the worked numbers", () => {
  const printed = node(root, "examples/mathematics.mjs");
  const [, shown] = /\n```\n([^`]*)```\n$/.exec(page("docs/mathematics.md")) ?? [];
  expect(shown).toBe(printed);
  expect(printed.split("\n").length).toBeGreaterThan(30);
});

test("docs/reproduction.md: every figure is there, with the numbers of its file", () => {
  const text = page("docs/reproduction.md");
  const ids = ["paper", "beyond"].flatMap((set) =>
    ["city", "gamma-3", "gamma-6", "gamma-9"].flatMap((subject) =>
      ["loss", "error"].map((kind) => `${set}-${kind}-${subject}`),
    ),
  );
  expect(tablesIn(text)).toEqual([...ids, "findings"]);
  expect(withTables(text, (id: string) => page(`docs/figures/${id}.csv`))).toBe(text);
  for (const id of ids) {
    expect(text).toMatch(new RegExp(`<!-- seen: ${id} -->\n[^<]{40}`));
    expect(text).toContain(`](figures/${id}.png)`);
    expect(page(`docs/figures/${id}.svg`)).toContain("<svg");
    expect(
      readFileSync(path.join(root, `docs/figures/${id}.png`))
        .subarray(1, 4)
        .toString(),
    ).toBe("PNG");
  }
});

test("docs/reproduction.md: mean K within half a grid of the reference, and falling with γ", () => {
  const degradations = [3, 6, 9].map((gamma) => {
    const [header, ...rows] = page(`docs/figures/paper-loss-gamma-${gamma}.csv`).trimEnd().split("\n");
    const at = header!.split(",").indexOf("K_mean");
    return new Map(rows.map((row) => [row.split(",")[0]!, Number(row.split(",")[at])]));
  });
  const reference = [
    ["0.1", [2.7, 2.5, 2.5]],
    ["0.5", [4.3, 3.5, 3.3]],
    ["1", [5.2, 4.4, 4.3]],
  ] as const;
  for (const [epsilon, expected] of reference)
    for (const [index, degradation] of expected.entries())
      expect(Math.abs(degradations[index]!.get(epsilon)! - degradation)).toBeLessThanOrEqual(0.5);
  const mean = (of: Map<string, number>): number => [...of.values()].reduce((sum, each) => sum + each, 0) / of.size;
  expect(mean(degradations[1]!)).toBeLessThan(mean(degradations[0]!));
  expect(mean(degradations[2]!)).toBeLessThan(mean(degradations[1]!));
});

test("docs/audit.md: tables and picture are those of the stored figures", () => {
  node(root, "scripts/audit-page.mjs", "--check");
  expect(page("docs/audit.md")).toMatch(/clip-user-optimal +kept/);
  expect(page("docs/images/audit.svg")).toContain("<svg");
});

test.each(["A plan", "Your own records"])("README: '%s', by its own commands", (title) => {
  const section = page("README.md").split(`## ${title}\n`)[1]!;
  const block = section.split("```\n")[1];
  const commands = block!.split("\n").filter((line) => line.startsWith("$ npx veilgrid "));
  expect(commands).toHaveLength(2);
  const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-readme-"));
  try {
    const outputs = commands.map((line) =>
      node(folder, path.join(root, "dist/apps/cli/main.js"), ...line.split(" ").slice(3)),
    );
    expect(block).toBe(`${commands.join("\n")}\n${outputs[1]}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
