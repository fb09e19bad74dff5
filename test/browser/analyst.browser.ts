/** An analyst's way: nothing but what is released, and the one question that may be asked. */
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  cardOf,
  type Demo,
  expectNoViolations,
  factIn,
  openPage,
  runProgram,
  savedBy,
  startDemo,
} from "./support/index.ts";

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo[Symbol.asyncDispose]());

const ask = (url: string, token: string, method: string, body?: unknown): Promise<Response> =>
  fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

test("an analyst sees Published and nothing else, and a curator's address says so without asking the service", async () => {
  await using visit = await openPage({ demo, as: "analyst" });
  const { page } = visit;
  await page.getByRole("heading", { name: "Published statistics" }).waitFor();
  expect(await page.locator(".drop-zone").count()).toBe(0);
  const card = page.locator(".link-card");
  expect(await card.innerText()).toMatch(/city[\s\S]*0 of \d+ grids released/);
  await expectNoViolations(page);
  await card.click();
  await page.getByText("Nothing of this dataset is released yet.").waitFor();
  expect(await page.locator("nav.tabs a").allInnerTexts()).toEqual(["Published"]);

  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  for (const tab of ["data", "plan", "release", "ledger"]) {
    await page.goto(`${demo.url}/#/d/city/${tab}?loss=2`);
    await page.getByText("Not for analysts").waitFor();
  }
  await page.goto(`${demo.url}/#/add`);
  await page.getByText("Not for analysts").waitFor();
  await expectNoViolations(page);
  expect(asked.filter((path) => path.startsWith("/v1/"))).toEqual([]);
  await visit.expectClean();
});

test("one grid is asked for, answered, the same after another visit, and can be downloaded", async () => {
  const token = await demo.token("analyst");
  await using visit = await openPage({ demo, as: { token }, at: "#/d/city/published" });
  const { page } = visit;
  await page.getByText("Nothing of this dataset is released yet.").waitFor();
  const stage = page.getByRole("listbox", { name: /^Map of not released/ });
  await stage.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  const chosen = cardOf(page, "Chosen grid");
  await chosen.getByText(/The first question for it spends some of the privacy of everyone in it, for good/).waitFor();
  await expectNoViolations(page);
  await chosen.getByRole("button", { name: "Ask for this grid" }).click();
  await chosen.locator("dl.figures").waitFor();
  const answer = await chosen.innerText();
  expect(answer).toMatch(/mean speed[\s\S]*km\/h[\s\S]*between [\d.]+ and [\d.]+ km\/h/);
  expect(answer).toMatch(/95\s% of the time/);
  await page.getByText(/^1 of \d+ grids are released/).waitFor();
  await visit.expectClean();

  await page.reload();
  await chosen.locator("dl.figures").waitFor();
  expect(await chosen.innerText()).toBe(answer);

  // Wider if surer, around the same number.
  await page.getByRole("radio", { name: /^99/ }).check();
  await expect.poll(() => chosen.innerText()).toMatch(/99\s% of the time/);
  const value = (text: string): string => /\n([\d.]+) km\/h/.exec(text)![1]!;
  // Wider intervals are written with fewer digits.
  expect(Math.abs(Number(value(await chosen.innerText())) - Number(value(answer)))).toBeLessThanOrEqual(1);
  await page.getByRole("radio", { name: /^95/ }).check();

  const { name, text } = await savedBy(page, cardOf(page, "Download").getByRole("button", { name: /^CSV/ }));
  expect(name).toBe("city.csv");
  expect(text.trim().split("\n")).toHaveLength(2);
  // Who asks later, asks for nothing new.
  const flags = ["--ledger", `${demo.state}/ledger.db`, "--dataset", "city", "--json"];
  const before = await runProgram("ledger", "show", ...flags);
  await using other = await openPage({ demo, as: "analyst", at: new URL(page.url()).hash });
  await cardOf(other.page, "Chosen grid").locator("dl.figures").waitFor();
  expect(await cardOf(other.page, "Chosen grid").innerText()).toBe(answer);
  expect(await runProgram("ledger", "show", ...flags)).toBe(before);
  await expectNoViolations(other.page);
  await other.expectClean();
  await visit.expectClean();
});

test("what a curator closes is closed, and can be opened again", async () => {
  await using curator = await openPage({ demo, as: "curator", at: "#/d/city/published" });
  const who = cardOf(curator.page, "Who may ask");
  await who.getByRole("radio", { name: "only what is released" }).check();
  await who.getByText("Changed.").waitFor();
  await using analyst = await openPage({ demo, as: "analyst", at: "#/d/city/published" });
  const { page } = analyst;
  await page.getByText(/Only what is released is given out/).waitFor();
  // Some grid that is not released: they are last in the table.
  await cardOf(page, "Table").locator("tbody tr").last().getByRole("button").click();
  await page.getByText("It is not released, and of this dataset only what is released is given out.").waitFor();
  expect(await page.getByRole("button", { name: "Ask for this grid" }).count()).toBe(0);
  // The service holds to it as well, whatever a page shows.
  const token = await demo.token("analyst");
  const { grids } = (await (await ask(`${demo.url}/v1/published/city/grids`, token, "GET")).json()) as {
    grids: Array<{ grid: string; released: boolean }>;
  };
  const unreleased = grids.find(({ released }) => !released)!.grid;
  const refused = await ask(`${demo.url}/v1/published/city/grids/${encodeURIComponent(unreleased)}`, token, "POST");
  expect(refused.ok).toBe(false);

  await who.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => who.getByRole("radio", { name: "what is asked for" }).isChecked()).toBe(true);
  await page.reload();
  await page.getByText(/The others can be asked for/).waitFor();
  await page.getByRole("button", { name: "Ask for this grid" }).waitFor();
  await analyst.expectClean();
  await curator.expectClean();
});

test("the curator's ledger has the analyst's question", async () => {
  await using visit = await openPage({ demo, as: "curator", at: "#/d/city/ledger" });
  const budget = cardOf(visit.page, "Budget");
  await budget.waitFor();
  expect(Number(await factIn(budget, "Spent"))).toBeGreaterThan(0);
  expect(Number(await factIn(budget, "Spent"))).toBeLessThan(1);
  const row = cardOf(visit.page, "Releases over time").locator("tbody tr");
  expect(await row.count()).toBe(1);
  expect(await row.locator("td").last().innerText()).toBe("1");
  await visit.expectClean();
});
