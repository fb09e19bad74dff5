/** With the network cut after it has loaded, the Plan page still plans: the planner is in the browser. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { cardOf, type Demo, openPage, refinedPlan, startDemo } from "./support/index.ts";

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo[Symbol.asyncDispose]());

test("without any network the Plan page plans: by slider, by curve, other statistics, estimators and rules", async () => {
  await using visit = await openPage({ demo, as: "curator", at: "#/d/city/plan" });
  const { page } = visit;
  const atFirst = await refinedPlan(page);
  // Cut twice: what is asked for does not leave the page, and what would leave it reaches nothing.
  const asked: string[] = [];
  await page.context().route("**", (route) => {
    asked.push(route.request().url());
    return route.abort("internetdisconnected");
  });
  await page.context().setOffline(true);

  const slider = page.getByRole("slider", { name: "Total privacy loss λ of any user" });
  await slider.focus();
  await page.keyboard.press("PageUp");
  await expect.poll(() => page.url()).toContain("loss=");
  const more = await refinedPlan(page);
  expect(Number(more.loss)).toBeGreaterThan(Number(atFirst.loss));
  expect(Number.parseFloat(more.error)).toBeLessThan(Number.parseFloat(atFirst.error));

  const chart = page.getByRole("slider", { name: /read at total privacy loss/ });
  const box = (await chart.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.55, box.y + box.height / 2, { steps: 8 });
  await page.mouse.up();
  const less = await refinedPlan(page);
  expect(Number(less.loss)).toBeLessThan(Number(atFirst.loss));

  const seen = [less];
  for (const choice of ["Paper’s", "Baseline", "CLIP-USER", "mean and variance"]) {
    await page.getByRole("radio", { name: choice, exact: true }).check();
    const plan = await refinedPlan(page);
    expect(seen, choice).not.toContainEqual(plan);
    seen.push(plan);
  }
  // The plan stays, seen from its error, until that is changed.
  await page.getByRole("radio", { name: "error", exact: true }).check();
  await expect.poll(() => page.url(), { timeout: 60_000 }).toMatch(/error=\d/);
  await refinedPlan(page);
  await page.getByRole("slider", { name: /^Worst error/ }).focus();
  await page.keyboard.press("PageDown");
  await expect.poll(async () => (await refinedPlan(page)).error, { timeout: 60_000 }).not.toBe(seen.at(-1)!.error);
  await page.getByRole("radio", { name: "records dropped" }).check();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(async () => (await refinedPlan(page)).error, { timeout: 60_000 }).toBe(seen.at(-1)!.error);

  // What needs the service says so; what is fetched already is there.
  await page.getByRole("button", { name: "Make this plan and see its price →" }).click();
  await page.getByRole("heading", { name: "No connection to the service" }).waitFor();
  for (const tab of ["Data", "Release", "Ledger", "Published"]) {
    await page.getByRole("link", { name: tab, exact: true }).click();
    await page.getByRole("heading", { name: "No connection to the service" }).waitFor();
  }
  await page.getByRole("link", { name: "Paper", exact: true }).click();
  await page.getByRole("heading", { level: 1 }).waitFor();

  await page.context().unroute("**");
  await page.context().setOffline(false);
  await page.goto(`${demo.url}/#/d/city/ledger`);
  await cardOf(page, "Budget").waitFor();
  expect(asked.every((url) => new URL(url).hostname === "127.0.0.1")).toBe(true);
  visit.forgive(/ERR_INTERNET_DISCONNECTED/);
  await visit.expectClean();
});
