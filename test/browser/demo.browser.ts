/** The demo as README prints it, in an empty working folder and without --state: its city is surveyed again, planned, released and published. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { cardOf, type Demo, factIn, openPage, refinedPlan, startDemoByDefault, type Visit } from "./support/index.ts";

let demo: Demo;
/** One visit from beginning to end; each test is a stop. */
let visit: Visit;

beforeAll(async () => {
  demo = await startDemoByDefault();
  visit = await openPage({ demo, at: `#code=${demo.code}` });
});
afterAll(async () => {
  await visit[Symbol.asyncDispose]();
  await demo[Symbol.asyncDispose]();
});

test("the city is surveyed again, with the same counts", async () => {
  const { page } = visit;
  await page.getByRole("heading", { name: "city" }).click();
  const numbers = cardOf(page, "In numbers");
  const records = await factIn(numbers, "Records");
  const surveyed = page.waitForResponse((answer) => /\/v1\/datasets\/city\/survey$/.test(answer.url()));
  await page.getByRole("button", { name: "Survey again" }).click();
  expect((await surveyed).status()).toBe(202);
  expect(await factIn(numbers, "Records")).toBe(records);
  await visit.expectClean();
});

test("it is planned, and the plan is released", async () => {
  const { page } = visit;
  await page.getByRole("link", { name: "Plan", exact: true }).click();
  const planned = await refinedPlan(page);
  await page.getByRole("button", { name: "Make this plan and see its price →" }).click();
  const price = cardOf(page, "What it costs");
  await price.waitFor();
  expect(await factIn(price, "Loss λ")).toBe(planned.loss);
  await page.getByRole("checkbox", { name: /cannot be undone/ }).check();
  await page.getByRole("button", { name: /^Release \d+ grids and spend/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Release and spend" }).click();
  await page.getByRole("status").filter({ hasText: "Released." }).waitFor();
  await visit.expectClean();
});

test("analysts read what was released", async () => {
  await using analyst = await openPage({ demo, as: "analyst", at: "#/d/city/published" });
  const rows = cardOf(analyst.page, "Table").locator("tbody tr");
  await rows.first().waitFor();
  const grids = await rows.count();
  expect(await analyst.page.locator(".page-head .lead").innerText()).toBe(`${grids} of ${grids} grids are released.`);
  await analyst.expectClean();
});
