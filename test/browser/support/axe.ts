/** axe-core over a page as it stands, held to WCAG 2 A and AA. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

interface Axe {
  run(context: Document, options: object): Promise<AxeResults>;
}

/** The debugger may run scripts in a page whose policy refuses them, so the policy can stay on. */
export async function expectNoViolations(page: Page): Promise<void> {
  await page.evaluate(source);
  const { violations } = await page.evaluate(
    (tags) => (globalThis as unknown as { axe: Axe }).axe.run(document, { runOnly: { type: "tag", values: tags } }),
    TAGS,
  );
  const told = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(" ")}: ${failureSummary}`),
  );
  expect(told, told.join("\n")).toEqual([]);
}
