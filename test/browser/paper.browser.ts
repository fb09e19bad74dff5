/** The Paper page: figures that can be asked by pointer and by keys, in any colours and width, without signing in. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Demo,
  expectInside,
  expectNoSidewaysScroll,
  expectNoViolations,
  openPage,
  startDemo,
} from "./support/index.ts";

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo[Symbol.asyncDispose]());

const chartOf = (page: Page) => page.getByRole("slider", { name: /: read at/ });

for (const [theme, width] of [
  ["light", 1280],
  ["dark", 1280],
  ["light", 360],
  ["dark", 360],
] as const)
  test(`pointer, keys, no violations: ${theme}, ${width} px`, async () => {
    await using visit = await openPage({ demo, at: "#/paper/beyond-loss-gamma-3", theme, width });
    const { page } = visit;
    const chart = chartOf(page);
    await chart.waitFor();
    expect(await visit.layoutShift()).toBeLessThan(0.1);
    await expectNoViolations(page);
    await expectNoSidewaysScroll(page);

    const readout = page.locator(".live-readout");
    const { width: wide } = (await chart.boundingBox())!;
    for (const x of [5, wide / 2, wide - 5]) {
      await chart.hover({ position: { x, y: 40 } });
      await readout.waitFor();
      await expectInside(readout, page.locator(".live-plot"));
    }
    // ε = 10, where the simple count of the baseline is 12 times that.
    expect(await readout.innerText()).toMatch(/120/);
    await page.mouse.move(0, 0);
    await readout.waitFor({ state: "detached" });

    await chart.focus();
    await page.keyboard.press("Home");
    const told = page.locator(".live-plot [aria-live]");
    await expect.poll(() => told.innerText()).toMatch(/ 0\.1\. .*baseline, joint: 0\.125/);
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => told.innerText()).toMatch(/ 0\.125\. /);
    expect(await chart.getAttribute("aria-valuetext")).toContain("0.125");
    await page.keyboard.press("Escape");
    await readout.waitFor({ state: "detached" });
    await visit.expectClean();
  });

test("figures have addresses; Next, Back and a wrong address lead somewhere", async () => {
  await using visit = await openPage({ demo, at: "#/paper" });
  const { page } = visit;
  await page.getByRole("heading", { name: "Privacy loss before and after CLIP-USER, γ = 3" }).waitFor();
  expect(await page.locator(".figure-list a").count()).toBe(16);
  await page.getByRole("link", { name: "Next →" }).click();
  await page.getByRole("heading", { name: "Worst guaranteed error before and after caps, γ = 3" }).waitFor();
  expect(page.url()).toMatch(/#\/paper\/paper-error-gamma-3$/);
  await page.goBack();
  await page.getByRole("heading", { name: "Privacy loss before and after CLIP-USER, γ = 3" }).waitFor();
  await page.goto(`${demo.url}/#/paper/nothing`);
  await page.getByRole("link", { name: "Begin with the first one" }).click();
  await chartOf(page).waitFor();
  await visit.expectClean();
});

test("the ε slider reads the lines as a sentence, and the address keeps it", async () => {
  await using visit = await openPage({ demo, at: "#/paper/paper-loss-gamma-3?e=0.5" });
  const { page } = visit;
  const sentence = page.locator(".epsilon [aria-live]");
  await sentence.waitFor();
  expect(await sentence.innerText()).toMatch(/^At ε = 0\.5: “before, 12·ε” is 6; “after CLIP-USER, K·ε” is 2\.15 /);
  await page.getByRole("slider", { name: /Read all lines/ }).focus();
  await page.keyboard.press("End");
  await expect.poll(() => sentence.innerText()).toMatch(/^At ε = 1: “before, 12·ε” is 12/);
  await expect.poll(() => page.url()).toMatch(/e=1$/);
  await page.reload();
  await expect.poll(() => sentence.innerText()).toMatch(/^At ε = 1: /);
  await visit.expectClean();
});

test("lines can be hidden without moving the others; numbers are a table and files", async () => {
  await using visit = await openPage({ demo, at: "#/paper/paper-error-gamma-6" });
  const { page } = visit;
  const strokes = page.locator(".live-plot .drawing path[stroke-linejoin=round]");
  const after = page.locator(".live-plot .drawing path[stroke-width='3.2']");
  await chartOf(page).waitFor();
  expect(await strokes.count()).toBe(2);
  const drawn = await after.getAttribute("d");
  await page.getByRole("checkbox", { name: "before, E" }).uncheck();
  await expect.poll(() => strokes.count()).toBe(1);
  const left = (text: string | null): number => Number(text!.match(/^M([\d.]+)/)![1]);
  expect(Math.abs(left(await after.getAttribute("d")) - left(drawn))).toBeLessThan(1);
  await page.getByRole("checkbox", { name: "before, E" }).check();

  await page.getByText("Numbers as a table").click();
  await expect.poll(() => page.locator(".live-tools tbody tr").count()).toBe(21);
  await expectNoViolations(page);
  const saved = async (name: string): Promise<string> => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
    expect(download.suggestedFilename()).toMatch(/^paper-error-gamma-6\./);
    return readFileSync(await download.path(), "utf8");
  };
  expect((await saved("Download CSV")).split("\n")[1]).toMatch(/^0\.1,7161\.8844,/);
  expect(await saved("Download SVG")).toMatch(/^<svg .*Worst guaranteed error before and after caps, γ = 6/);
  await visit.expectClean();
});

test("an experiment runs in the page: wrong numbers are refused, a run can be cancelled, its table compares", async () => {
  await using visit = await openPage({ demo, at: "#/paper", width: 360 });
  const { page } = visit;
  const run = page.locator("#run");
  await run.getByLabel("Grids, G").fill("13");
  expect(await run.getByRole("button", { name: "Run" }).isDisabled()).toBe(true);
  expect(await run.locator(".problem").innerText()).toBe("A whole number from 1 to 12.");
  await run.getByLabel("Grids, G").fill("12");

  // Held up, so that there is something to cancel.
  const worker = /run\.worker/;
  await page.route(worker, () => undefined);
  await run.getByRole("button", { name: "Run" }).click();
  await run.getByRole("progressbar").waitFor();
  await run.getByRole("button", { name: "Cancel" }).click();
  await run.getByText("Cancelled.").waitFor();
  expect(await run.locator("tbody").count()).toBe(0);
  await page.unroute(worker);

  await run.getByRole("button", { name: "Run" }).click();
  await run.getByRole("rowheader", { name: "after CLIP-USER", exact: true }).waitFor();
  expect(await run.locator("tbody tr").count()).toBe(4);
  expect(await run.innerText()).toContain("CLIP-USER lowers K from 12 to 4");
  expect(page.url()).toContain("gamma=3");
  await expectNoViolations(page);
  await expectNoSidewaysScroll(page);
  await visit.expectClean();
});
