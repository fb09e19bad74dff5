/** What goes wrong is told where it went wrong, costs nothing, and can be done again. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  cardOf,
  type Demo,
  dropFile,
  expectNoViolations,
  factIn,
  makePlan,
  openPage,
  refinedPlan,
  runProgram,
  startDemo,
} from "./support/index.ts";

let demo: Demo;
let token: string;
beforeAll(async () => {
  demo = await startDemo();
  token = await demo.token("curator");
});
afterAll(() => demo[Symbol.asyncDispose]());

/** What a browser says of a connection that is not there. */
const NO_CONNECTION = /ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/;
const noConnection = (page: Page) => page.getByRole("heading", { name: "No connection to the service" });

async function confirmRelease(page: Page): Promise<void> {
  await page.getByRole("checkbox", { name: /cannot be undone/ }).check();
  await page.getByRole("button", { name: /^Release \d+ grids and spend/ }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Release and spend/ })
    .click();
}

test("without the service a plan is not made, a release not begun, and both can be tried again", async () => {
  await using visit = await openPage({ demo, as: { token }, at: "#/d/city/plan?loss=2&strategy=baseline" });
  const { page } = visit;
  const planned = await refinedPlan(page);
  await demo.stop();
  await page.getByRole("button", { name: "Make this plan and see its price →" }).click();
  await noConnection(page).waitFor();
  expect(await refinedPlan(page)).toEqual(planned);
  await expectNoViolations(page);
  await demo.start();
  await page.getByRole("button", { name: "Try again" }).click();
  const price = cardOf(page, "What it costs");
  await price.waitFor();

  await demo.stop();
  await confirmRelease(page);
  await noConnection(page).waitFor();
  await page.getByText(/nothing is charged twice/).waitFor();
  expect(await price.isVisible()).toBe(true);
  await demo.start();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Released.", { exact: true }).waitFor();
  visit.forgive(NO_CONNECTION);
  await visit.expectClean();
});

test("what would exceed the budget is refused, with the ways out, and spends nothing", async () => {
  const flags = ["--ledger", `${demo.state}/ledger.db`, "--dataset", "city", "--json"];
  const before = await runProgram("ledger", "show", ...flags);
  const plan = await makePlan(demo, token, "1.9");
  await using visit = await openPage({ demo, as: { token }, at: `#/d/city/release?plan=${plan}` });
  const { page } = visit;
  const price = cardOf(page, "What it costs");
  await price.waitFor();
  expect(await price.innerText()).toMatch(/not sure to fit/);
  await confirmRelease(page);
  const refusal = page.getByRole("alert").filter({ hasText: "The budget does not allow it" });
  await refusal.waitFor();
  expect(await refusal.innerText()).toMatch(/Nothing was charged, and no value was read/);
  await expectNoViolations(page);
  expect(await runProgram("ledger", "show", ...flags)).toBe(before);

  const smaller = refusal.getByRole("link", { name: /^Plan with a loss of / });
  const loss = /[\d.]+$/.exec(await smaller.innerText())![0];
  expect(Number(loss)).toBeGreaterThan(0);
  expect(Number(loss)).toBeLessThanOrEqual(1);
  await refusal.getByRole("link", { name: "Raise the budget" }).click();
  await page.getByLabel("New budget").fill("2");
  expect(await page.locator("#raise-problem").innerText()).toMatch(/never lowered/);
  await page.goBack();
  await price.waitFor();
  await page.goto(`${demo.url}/#/d/city/plan?loss=${loss}&strategy=baseline`);
  expect(Number((await refinedPlan(page)).loss)).toBeLessThanOrEqual(Number(loss));
  // The slider may go further than the budget: then it is said before anything is made.
  await page.getByLabel("Total privacy loss λ of any user, as a number").fill("5");
  await page.keyboard.press("Enter");
  await page.getByText("More than the budget has left").waitFor();
  await visit.expectClean();
});

test("Published, Ledger and the start page keep what they show while the connection is lost", async () => {
  await using visit = await openPage({ demo, as: { token }, at: "#/d/city/published" });
  const { page } = visit;
  const table = cardOf(page, "Table").locator("tbody tr");
  await table.first().waitFor();
  const rows = await table.count();
  await page.context().setOffline(true);
  await page.getByRole("radio", { name: /^99/ }).check();
  await noConnection(page).waitFor();
  expect(await table.count()).toBe(rows);
  await cardOf(page, "Download").getByRole("button", { name: /^CSV/ }).click();
  await cardOf(page, "Download").getByText("No connection to the service").waitFor();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await cardOf(page, "Table")
    .getByText(/99\s% interval/)
    .waitFor();

  await page.getByRole("link", { name: "Ledger", exact: true }).click();
  await cardOf(page, "Budget").waitFor();
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Verify the ledger" }).click();
  await noConnection(page).waitFor();
  expect(await factIn(cardOf(page, "Budget"), "Budget")).toBe("3");
  await page.getByRole("link", { name: "Veilgrid: all datasets" }).click();
  await noConnection(page).waitFor();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "city" }).waitFor();
  visit.forgive(NO_CONNECTION);
  await visit.expectClean();
});

test("files that are no tables are refused in words, and another can be chosen at once", async () => {
  await using visit = await openPage({ demo, as: { token }, at: "#/add" });
  const { page } = visit;
  const zone = page.locator(".drop-zone");
  const refused = async (name: string, content: string, says: RegExp): Promise<void> => {
    await dropFile(zone, name, content);
    const alert = page.getByRole("alert").filter({ hasText: name });
    await alert.waitFor();
    const text = await alert.innerText();
    expect(text).toMatch(says);
    // Nothing that only the command line has.
    expect(text).not.toMatch(/--[a-z]|COL\b|undefined|stack/);
    await zone.waitFor();
  };
  await zone.waitFor();
  await refused("letter.txt", "Dear all\n\nthis is a letter and no table.\nKind regards\n", /one column only/);
  await expectNoViolations(page);
  await refused("one.csv", "speed\n1\n2\n3\n", /one column only/);
  await refused("empty.csv", "", /empty/);
  await refused("book.xlsx", "PK\u0003\u0004not really", /must end in .csv[\s\S]*From a spreadsheet, save it as CSV/);

  await dropFile(zone, "counts.csv", "user,grid,count\na,north,3\nb,south,4\n");
  await page.getByRole("heading", { name: "counts.csv holds counts, not records" }).waitFor();
  await expectNoViolations(page);
  await page.getByRole("button", { name: "Choose another file" }).click();
  await zone.waitFor();
  visit.forgive(/status of 4\d\d/);
  await visit.expectClean();
});

test("wrong values are told at their fields", async () => {
  await using visit = await openPage({ demo, as: { token }, at: "#/add" });
  const { page } = visit;
  const rows = Array.from({ length: 90 }, (_, row) => `c${row % 30},${["a", "b"][row % 2]},${row % 50}`);
  await dropFile(page.locator(".drop-zone"), "city.csv", ["customer,shop,amount", ...rows].join("\n"));
  const send = page.getByRole("button", { name: "Add and survey" });
  await send.waitFor();
  await page.getByRole("group", { name: "Grouped by" }).getByRole("checkbox", { name: /shop/ }).check();
  await page.getByRole("checkbox", { name: /Who was where how often is public/ }).check();
  await page.getByLabel("Lowest").fill("65");
  await page.getByLabel("Highest").fill("0");
  await page.getByLabel("Privacy budget (λ)").fill("none");
  await send.click();
  const told = (field: string) => page.locator(`#add-${field}-notes .problem`);
  await told("upper").waitFor();
  expect(await told("upper").innerText()).toMatch(/bound|below|above|less|greater|larger|smaller/i);
  expect(await told("budget").innerText()).toMatch(/A number above 0/);
  expect(await page.getByLabel("Highest").getAttribute("aria-invalid")).toBe("true");
  // The first of them has the focus.
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("add-upper");
  await expectNoViolations(page);

  await page.getByLabel("Lowest").fill("0");
  await page.getByLabel("Highest").fill("65");
  await page.getByLabel("Privacy budget (λ)").fill("3");
  await send.click();
  // `city` is there already.
  await told("name").waitFor();
  expect(await told("name").innerText()).toMatch(/exists|already/);
  expect(await page.getByLabel("Highest").inputValue()).toBe("65");
  await page.getByLabel("Name of the dataset").fill("shops");
  await send.click();
  await page.getByRole("heading", { name: "What is in shops" }).waitFor();
  visit.forgive(/status of 409/);
  await visit.expectClean();
});

test("a token that is revoked meanwhile leads to signing in again, and back to the same page", async () => {
  const flags = ["--state", demo.state];
  const made = await runProgram("token", "create", ...flags, "--role", "curator", "--name", "short", "--json");
  const short = JSON.parse(made) as { id: string; token: string };
  await using visit = await openPage({ demo, as: { token: short.token }, at: "#/d/city/ledger" });
  const { page } = visit;
  await cardOf(page, "Budget").waitFor();
  await runProgram("token", "revoke", ...flags, "--id", short.id);
  await page.getByRole("button", { name: "Verify the ledger" }).click();
  await page.getByRole("heading", { name: "You are not signed in" }).waitFor();
  await expectNoViolations(page);
  await page.getByRole("button", { name: "Sign in again" }).click();
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await cardOf(page, "Budget").waitFor();
  expect(page.url()).toMatch(/#\/d\/city\/ledger$/);
  visit.forgive(/status of 401/);
  await visit.expectClean();
});
