/** Tests that charts.css says the same as CHART_STYLE, which the dashboard cannot put into a style element. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CHART_STYLE } from "../../../src/publish/charts/index.ts";

test("charts.css has every rule of CHART_STYLE", () => {
  const own = rulesOf(readFileSync(new URL("./charts.css", import.meta.url), "utf8"));
  const asked = rulesOf(CHART_STYLE);
  expect(asked.size).toBeGreaterThan(20);
  const missing = [...asked].flatMap(([selector, declarations]) =>
    declarations.filter((each) => !own.get(selector)?.includes(each)).map((each) => `${selector} { ${each} }`),
  );
  expect(missing).toEqual([]);
});

/** Declarations by selector, without regard for spaces, quotes and leading zeros. */
function rulesOf(css: string): Map<string, string[]> {
  const plain = css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{}:;,>()]) ?/g, "$1")
    .replace(/(^|[^\d])0\.(\d)/g, "$1.$2")
    .replaceAll("'", '"');
  const found = new Map<string, string[]>();
  for (const [, selectors, body] of plain.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    const selector = selectors!.trim();
    found.set(selector, [...(found.get(selector) ?? []), ...body!.split(";").filter((each) => each.trim() !== "")]);
  }
  return found;
}
