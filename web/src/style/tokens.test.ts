/** Dark colours stand in two places, because scripts read them as they are written (which light-dark() would not be): they must agree. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("dark by the system's wish is dark by the switch", () => {
  const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8").replace(/\s+/g, " ");
  const block = (selector: string): string[] => {
    const start = css.indexOf(`${selector} {`);
    expect(start, selector).toBeGreaterThan(0);
    const body = css.slice(css.indexOf("{", start) + 1, css.indexOf("}", start));
    return body
      .split(";")
      .map((each) => each.trim())
      .filter((each) => each !== "");
  };
  const bySwitch = block(':root[data-theme="dark"]');
  expect(bySwitch.length).toBeGreaterThan(15);
  expect(block(':root:not([data-theme="light"])')).toEqual(bySwitch);
});
