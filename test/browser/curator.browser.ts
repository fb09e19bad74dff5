/** A curator's whole way: from a dropped file over data, plan and release to files and ledger; the command line agrees at every stop. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { latLngToCell } from "h3-js";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  cardOf,
  type Demo,
  dropFile,
  expectNoViolations,
  factIn,
  openPage,
  refinedPlan,
  runProgram,
  type ShownPlan,
  savedBy,
  startDemo,
  type Visit,
} from "./support/index.ts";

let demo: Demo;
/** One visit from beginning to end; each test is a stop. */
let visit: Visit;
let page: Page;
let file: string;
let planned: ShownPlan;

beforeAll(async () => {
  demo = await startDemo();
  file = path.join(demo.state, "trips.csv");
  await runProgram("simulate", "city", "--vehicles", "250", "--records", "12000", "--seed", "7", "--out", file);
  visit = await openPage({ demo, at: `#code=${demo.code}` });
  page = visit.page;
});
afterAll(async () => {
  await visit[Symbol.asyncDispose]();
  await demo[Symbol.asyncDispose]();
});

const RECIPE = [
  ...["--user", "vehicle_id", "--value", "speed", "--lat", "latitude", "--lon", "longitude", "--h3", "7"],
  ...["--time", "timestamp", "--slot", "1d", "--tz", "+05:30", "--min-users", "40"],
];
const count = (text: string): number => Number(text.replaceAll(",", ""));

test("a dropped file is looked at, its guesses fill a form, and what is open is asked for", async () => {
  const zone = page.locator(".drop-zone");
  await zone.waitFor();
  await dropFile(zone, "Bus trips, March.csv", readFileSync(file, "utf8"));
  await page.getByRole("button", { name: "Add and survey" }).waitFor();

  const filled = (label: string): Promise<string> => page.getByLabel(label, { exact: true }).inputValue();
  expect(await filled("Name of the dataset")).toBe("Bus-trips-March");
  expect(await filled("Whose record it is")).toBe("vehicle_id");
  expect(await filled("Protected number")).toBe("speed");
  expect(await page.getByRole("radio", { name: "Places on a map" }).isChecked()).toBe(true);
  expect(await filled("Latitude")).toBe("latitude");
  expect(await filled("Longitude")).toBe("longitude");
  expect(await filled("Time")).toBe("timestamp");
  expect(await filled("Time zone")).toBe("+05:30");
  // Never guessed, for they would have to come from the data.
  expect(await filled("Lowest")).toBe("");
  expect(await filled("Highest")).toBe("");

  // Sent as it is, it says what is missing.
  await page.getByRole("button", { name: "Add and survey" }).click();
  const missing = page.getByRole("alert");
  await missing.waitFor();
  expect(await missing.getByRole("button").allInnerTexts()).toEqual([
    expect.stringMatching(/^Lowest/),
    expect.stringMatching(/^Highest/),
    expect.stringMatching(/^What is public/),
  ]);
  await expectNoViolations(page);

  await page.getByLabel("Name of the dataset").fill("trips");
  await page.getByLabel("Unit (optional)").fill("km/h");
  await page.getByLabel("Lowest").fill("0");
  await page.getByLabel("Highest").fill("65");
  await page.getByLabel("Hexagon size").selectOption("7");
  await page.getByLabel("Time slots").selectOption("1d");
  await page.getByRole("radio", { name: "With enough users" }).check();
  await page.getByLabel("Users per grid, at least").fill("40");
  await page.getByLabel("Privacy budget (λ)").fill("4");
  await page.getByRole("checkbox", { name: /Who was where how often is public/ }).check();
  expect(await page.getByRole("alert").count()).toBe(0);
  await page.getByRole("button", { name: "Add and survey" }).click();
  await page.getByRole("heading", { name: "What is in trips" }).waitFor();
  expect(page.url()).toMatch(/#\/d\/trips\/data$/);
  await visit.expectClean();
});

test("Data has the numbers that the command line counts", async () => {
  const told = JSON.parse(await runProgram("survey", file, ...RECIPE, "--json")) as {
    users: number;
    grids: number;
    samples: number;
    maxGridsPerUser: number;
    perGrid: Array<{ users: number; samples: number }>;
    heaviestContributors: Array<{ user: string; records: number }>;
  };
  const numbers = cardOf(page, "In numbers");
  await numbers.waitFor();
  expect(count(await factIn(numbers, "Users"))).toBe(told.users);
  expect(count(await factIn(numbers, "Records"))).toBe(told.samples);
  expect(count(await factIn(numbers, "Most grids of one user"))).toBe(told.maxGridsPerUser);
  const rows = cardOf(page, "Every grid").locator("tbody tr");
  expect(await rows.count()).toBe(told.grids);
  const [busiest] = [...told.perGrid].sort((one, other) => other.samples - one.samples);
  const cells = await rows.first().locator("td").allInnerTexts();
  expect(cells.slice(1, 3).map(count)).toEqual([busiest!.samples, busiest!.users]);
  const heaviest = await cardOf(page, "Heaviest users").locator("tbody tr").first().locator("td").allInnerTexts();
  expect(heaviest.slice(0, 2)).toEqual(["#1", String(told.heaviestContributors[0]!.records)]);
  expect(await page.locator("main").innerText()).not.toMatch(/bus-\d/);
  // A grid that is chosen in the table is chosen on the map and in the address.
  await rows.nth(2).getByRole("button").click();
  await page.locator(".hex-chosen").waitFor({ state: "attached" });
  expect(page.url()).toContain("grid=");
  await visit.expectClean();
});

test("Plan follows keys and the dragged curve, and Undo and Back lead to where one was", async () => {
  await page.getByRole("link", { name: "Plan", exact: true }).click();
  const atFirst = await refinedPlan(page);
  const slider = page.getByRole("slider", { name: "Total privacy loss λ of any user" });
  await slider.focus();
  for (let step = 0; step < 20; step++) await page.keyboard.press("ArrowRight");
  await expect.poll(() => page.url()).toMatch(/loss=1\.4/);
  const more = await refinedPlan(page);
  expect(Number(more.loss)).toBeGreaterThan(Number(atFirst.loss));
  expect(Number.parseFloat(more.error)).toBeLessThan(Number.parseFloat(atFirst.error));
  expect(await cardOf(page, "What you get").locator(".badge.good").innerText()).toMatch(/proven|refined/);

  // Along the curve by hand, from the plan's own point to the left and a little further.
  const chart = page.getByRole("slider", { name: /read at total privacy loss/ });
  const box = (await chart.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.68, box.y + box.height * 0.5);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.8, box.y + box.height * 0.5, { steps: 6 });
  await page.mouse.move(box.x + box.width * 0.75, box.y + box.height * 0.5, { steps: 6 });
  await page.mouse.up();
  await page.mouse.move(0, 0);
  const dragged = Number(await page.getByLabel("Total privacy loss λ of any user, as a number").inputValue());
  // A logarithmic axis from 0.01 to 20.
  expect(dragged).toBeGreaterThan(0.9 * 0.01 * 2000 ** 0.75);
  expect(dragged).toBeLessThan(1.1 * 0.01 * 2000 ** 0.75);
  const afterDrag = await refinedPlan(page);
  expect(afterDrag).not.toEqual(more);

  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(async () => (await refinedPlan(page)).loss).toBe(more.loss);
  expect(await refinedPlan(page)).toEqual(more);
  await page.getByRole("radio", { name: "CLIP-USER" }).check();
  await expect.poll(() => page.url()).toContain("strategy=clip-user");
  const clipped = await refinedPlan(page);
  expect(Number.parseFloat(clipped.error)).toBeGreaterThan(Number.parseFloat(more.error));
  await page.goBack();
  await expect.poll(async () => (await refinedPlan(page)).error).toBe(more.error);
  await visit.expectClean();
});

test("an address leads to the same choices and the same plan", async () => {
  await page.getByLabel("Total privacy loss λ of any user, as a number").fill("1.6");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toContain("loss=1.6");
  planned = await refinedPlan(page);
  await using other = await openPage({ demo, at: new URL(page.url()).hash, as: "curator" });
  expect(await refinedPlan(other.page)).toEqual(planned);
  expect(await other.page.getByLabel("Total privacy loss λ of any user, as a number").inputValue()).toBe("1.6");
  await other.expectClean();
});

test("the plan is made, its price told, confirmed twice, and released", async () => {
  await page.getByRole("button", { name: "Make this plan and see its price →" }).click();
  await page.getByRole("heading", { name: "Release", exact: true, level: 1 }).waitFor();
  const price = cardOf(page, "What it costs");
  await price.waitFor();
  // What the service has made from the records is what the page has planned from the counts.
  expect(await factIn(price, "Loss λ")).toBe(planned.loss);
  expect(await factIn(price, "Left before")).toBe("4");
  expect(await price.innerText()).toMatch(/right at most \d\d times in 100/);
  expect(await cardOf(page, "What will be published").innerText()).toContain(`at most ${planned.error}`);
  await expectNoViolations(page);

  const release = page.getByRole("button", { name: /^Release \d+ grids and spend/ });
  expect(await release.isDisabled()).toBe(true);
  await page.getByRole("checkbox", { name: /cannot be undone/ }).check();
  await release.click();
  const dialog = page.getByRole("dialog");
  await expectNoViolations(page);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await release.click();
  await dialog.getByRole("button", { name: "Release and spend" }).click();
  const done = page.getByRole("status").filter({ hasText: "Released." });
  await done.waitFor();
  expect(await done.innerText()).toMatch(/grids are out, at a loss of at most 1\.6 /);
  await cardOf(page, "Table").waitFor();
  await page.locator(".map-stage .hex").first().waitFor();
  await visit.expectClean();
});

test("every file can be had, and holds what the page shows", async () => {
  const table = cardOf(page, "Table").locator("tbody tr");
  const rows = await table.count();
  const downloads = cardOf(page, "Download");
  const saved = async (label: string) => {
    const { name, text } = await savedBy(page, downloads.getByRole("button", { name: new RegExp(`^${label}`) }));
    expect(name).toMatch(/^trips[.-]/);
    return text;
  };
  const csv = (await saved("CSV")).trim().split("\n");
  expect(csv.length - 1).toBe(rows);
  const heads = csv[0]!.split(",");
  const means = csv.slice(1).map((line) => Number(line.split(",")[heads.indexOf("mean")]));
  const shown = await table.locator("td:nth-child(2)").allInnerTexts();
  const places = shown[0]!.split(".")[1]?.length ?? 0;
  expect(means.sort((one, other) => other - one).map((mean) => mean.toFixed(places))).toEqual(shown);

  const json = JSON.parse(await saved("JSON")) as { rows: unknown[]; confidence: string };
  expect(json.rows).toHaveLength(rows);
  const map = JSON.parse(await saved("GeoJSON")) as { type: string; features: Array<{ geometry: { type: string } }> };
  expect(map.type).toBe("FeatureCollection");
  expect(map.features.map(({ geometry }) => geometry.type)).toEqual(Array(rows).fill("Polygon"));
  expect(await saved("Dictionary")).toMatch(/mean/);
  const statement = await saved("Statement");
  expect(statement).toMatch(/1\.6/);
  expect(statement).toMatch(/not protected/i);

  const html = await saved("Report");
  const report = await page.context().newPage();
  await report.setContent(html);
  expect(await report.locator("h1").first().innerText()).not.toBe("");
  expect(await report.locator("tbody tr").count()).toBeGreaterThanOrEqual(rows);
  await report.close();
  await visit.expectClean();
});

test("Ledger shows the release, verifies, and is what the command line reads", async () => {
  await page.getByRole("link", { name: "Ledger", exact: true }).click();
  const budget = cardOf(page, "Budget");
  await budget.waitFor();
  const flags = ["--ledger", path.join(demo.state, "ledger.db"), "--dataset", "trips", "--json"];
  const [told] = JSON.parse(await runProgram("ledger", "show", ...flags)) as [
    { budget: number; loss: number; left: number; users: number },
  ];
  expect(Number(await factIn(budget, "Budget"))).toBe(4);
  expect(told.budget).toBe(4);
  expect(Number(await factIn(budget, "Spent"))).toBeCloseTo(told.loss, 2);
  expect(Number(await factIn(budget, "Left"))).toBeCloseTo(told.left, 2);
  expect(await cardOf(page, "Releases over time").locator("tbody tr").count()).toBe(1);
  await page.getByRole("button", { name: "Verify the ledger" }).click();
  await page.getByText("Consistent.").waitFor();
  await expectNoViolations(page);
  await visit.expectClean();
});

test("what came by the file chooser is a dataset as well: grids without a place are a heat table", async () => {
  await page.getByRole("link", { name: "Veilgrid: all datasets" }).click();
  const rows = Array.from({ length: 600 }, (_, row) => {
    const shop = ["north", "east", "south"][row % 3]!;
    return `c${row % 97},${shop},${(row * 7) % 50}.5`;
  });
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByText("Drop a file of records here").click(),
  ]);
  await chooser.setFiles({
    name: "sales.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(["customer,shop,amount", ...rows].join("\n")),
  });
  await page.getByRole("button", { name: "Add and survey" }).waitFor();
  expect(await page.getByLabel("Whose record it is").inputValue()).toBe("customer");
  expect(await page.getByLabel("Protected number").inputValue()).toBe("amount");
  expect(await page.getByRole("radio", { name: "Columns of the file" }).isChecked()).toBe(true);
  await page.getByRole("group", { name: "Grouped by" }).getByRole("checkbox", { name: /shop/ }).check();
  await page.getByLabel("Lowest").fill("0");
  await page.getByLabel("Highest").fill("50");
  await page.getByRole("checkbox", { name: /Who was where how often is public/ }).check();
  await page.getByRole("button", { name: "Add and survey" }).click();
  await page.getByRole("heading", { name: "What is in sales" }).waitFor();
  const heat = cardOf(page, "Where the records are").locator(".heat");
  await heat.first().waitFor();
  expect(await heat.allInnerTexts()).toEqual(["200", "200", "200"]);
  await expectNoViolations(page);
  await page.getByRole("link", { name: "Veilgrid: all datasets" }).click();
  await page.getByRole("heading", { name: "sales" }).waitFor();
  expect(await page.locator(".link-card h2").allInnerTexts()).toEqual(
    expect.arrayContaining(["city", "trips", "sales"]),
  );
  await visit.expectClean();
});

test("a file that has hexagons already is counted by them, and the page tells what it left out", async () => {
  const rows = Array.from({ length: 300 }, (_, row) => {
    const hexagon = latLngToCell(21.1 + (row % 5) / 10, 72.8, 8);
    return `v${row % 41},${row % 2 === 0 ? hexagon : BigInt(`0x${hexagon}`)},${(row * 7) % 50}.5`;
  });
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByText("Drop a file of records here").click(),
  ]);
  const text = ["vehicle_id,hexagon,speed", ...rows].join("\n");
  await chooser.setFiles({ name: "hexagons.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await page.getByRole("button", { name: "Add and survey" }).waitFor();
  expect(await page.getByRole("radio", { name: "Hexagons" }).isChecked()).toBe(true);
  expect(await page.getByLabel("Hexagon", { exact: true }).inputValue()).toBe("hexagon");
  const size = page.getByLabel("Hexagon size");
  expect(await size.locator("option:checked").innerText()).toMatch(/^7:/);
  await page.getByLabel("How many grids").fill("4");
  await page.getByLabel("Lowest").fill("0");
  await page.getByLabel("Highest").fill("50");
  await page.getByRole("checkbox", { name: /Who was where how often is public/ }).check();
  await expectNoViolations(page);
  await page.getByRole("button", { name: "Add and survey" }).click();
  await page.getByRole("heading", { name: "What is in hexagons" }).waitFor();
  await page.getByText("60 records (20 %) lie in other grids and are left out: only the 4 grids").waitFor();
  await expect.poll(() => page.locator(".map-stage .hex").count()).toBe(4);
  expect(await cardOf(page, "How it was counted").innerText()).toMatch(/column hexagon[\s\S]*size 7/);
  await page.getByRole("link", { name: "Veilgrid: all datasets" }).click();
  await visit.expectClean();
});

test("of all this the browser keeps the token and which release was begun here, for as long as the tab is open", async () => {
  const kept = await page.evaluate(() => [Object.keys(sessionStorage).sort(), Object.keys(localStorage)]);
  expect(kept).toEqual([["veilgrid-release-trips", "veilgrid-token"], []]);
  expect(await page.context().cookies()).toEqual([]);
  expect(await page.evaluate(async () => (await indexedDB.databases()).length + (await caches.keys()).length)).toBe(0);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign out now" }).click();
  await page.getByLabel("Token").waitFor();
  expect(await page.evaluate(() => sessionStorage.getItem("veilgrid-token"))).toBeNull();
  await visit.expectClean();
});
