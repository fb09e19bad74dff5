/** Maps by SVG and by WebGL: both are drawn, pointed at, walked by keys and listened to. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { cardOf, type Demo, expectInside, expectNoViolations, openPage, startDemo } from "./support/index.ts";

let demo: Demo;
let token: string;
beforeAll(async () => {
  demo = await startDemo();
  token = await demo.token("curator");
});
afterAll(() => demo[Symbol.asyncDispose]());

for (const way of ["svg", "deck"] as const)
  for (const theme of ["light", "dark"] as const)
    test(`by ${way}, ${theme}: tips under the pointer, keys choose, tables know it`, async () => {
      await using visit = await openPage({ demo, as: { token }, at: `?map=${way}#/d/city/data`, theme });
      const { page } = visit;
      const stage = page.getByRole("listbox", { name: /^Map of records/ });
      await stage.waitFor();
      await page
        .locator(way === "svg" ? ".map-stage svg.hexagons .hex" : ".map-stage canvas")
        .first()
        .waitFor();
      await stage.scrollIntoViewIfNeeded();

      // Across the middle, where some hexagon is.
      const tip = page.locator(".map-tip");
      const box = (await stage.boundingBox())!;
      await expect
        .poll(
          async () => {
            for (let step = 1; step < 10 && !(await tip.isVisible()); step++)
              await page.mouse.move(box.x + (box.width * step) / 10, box.y + box.height / 2);
            return tip.isVisible();
          },
          { timeout: 60_000 },
        )
        .toBe(true);
      await expect.poll(() => tip.innerText()).toMatch(/records of [\d,]+ users/);
      await expectInside(tip, page.locator(".map-box"));
      await page.mouse.move(0, 0);
      await tip.waitFor({ state: "detached" });

      await stage.focus();
      await page.keyboard.press("ArrowRight");
      await tip.waitFor();
      const first = await tip.innerText();
      await page.keyboard.press("ArrowLeft");
      await expect.poll(() => tip.innerText()).not.toBe(first);
      await page.keyboard.press("Enter");
      await expect.poll(() => page.url()).toContain("grid=");
      const chosen = cardOf(page, "Every grid").locator("tr.chosen");
      await chosen.waitFor();
      const [records] = /[\d,]+(?= records)/.exec(await tip.innerText())!;
      expect(await chosen.locator("td").nth(1).innerText()).toBe(records);
      expect(await stage.getByRole("option", { selected: true }).innerText()).toContain(`${records} records`);
      for (const key of ["+", "+", "Shift+ArrowLeft", "-", "0"]) await page.keyboard.press(key);
      await expectNoViolations(page);
      await page.keyboard.press("Escape");
      await expect.poll(() => page.url()).not.toContain("grid=");

      await page.getByRole("radio", { name: "Table", exact: true }).check();
      await cardOf(page, "Where the records are").locator(".heat").first().waitFor();
      await expectNoViolations(page);
      await visit.expectClean();
    });
