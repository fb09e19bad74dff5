/** How much is fetched before a page is there: sizes, which are the same on any machine; times are measured elsewhere. */
import { get } from "node:http";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Demo, openPage, refinedPlan, startDemo } from "./support/index.ts";

let demo: Demo;
let token: string;
beforeAll(async () => {
  demo = await startDemo();
  token = await demo.token("curator");
});
afterAll(() => demo[Symbol.asyncDispose]());

const MOST_BYTES = 150_000;
/** What hexagons need, by SVG and by WebGL. */
const MAP = /\/(grid-map|deck-hexagons|webgl-device)-/;

/** Files of the dashboard that are asked for until `ready`, with their size as packed for a browser; none that are fetched when there is nothing else to do. */
async function fetchedAt(at: string, ready: (page: Page) => Promise<unknown>): Promise<Map<string, number>> {
  await using visit = await openPage({ demo, as: { token }, at: "#/paper" });
  const { page } = visit;
  // What this page fetches when it is idle must not be counted for the next one.
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => /\/published-/.test(name)),
  );
  await page.waitForLoadState("networkidle");
  await page.addInitScript(() => {
    globalThis.requestIdleCallback = () => 0;
  });
  const names = new Set<string>();
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith("/v1/")) names.add(pathname);
  });
  await page.goto(`${demo.url}/?again${at}`);
  await ready(page);
  await visit.expectClean();
  return new Map(await Promise.all([...names].map(async (name) => [name, await packedBytes(name)] as const)));
}

/** What goes over the wire: a browser may have it already, so it is asked for here. */
function packedBytes(name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { "accept-encoding": "gzip, deflate, br, zstd" };
    get(`${demo.url}${name}`, { headers }, (answer) => {
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.once("end", () => resolve(bytes));
      answer.once("error", reject);
    }).once("error", reject);
  });
}

const total = (sizes: ReadonlyMap<string, number>): number => [...sizes.values()].reduce((sum, size) => sum + size, 0);

test(`the first load is below ${MOST_BYTES / 1000} kB, and no map is in it`, async () => {
  const sizes = await fetchedAt("#/", (page) => page.getByRole("heading", { name: "city" }).waitFor());
  expect([...sizes.keys()].filter((name) => MAP.test(name))).toEqual([]);
  expect(sizes.get("/")).toBeGreaterThan(0);
  expect(total(sizes)).toBeGreaterThan(10_000);
  expect(total(sizes), JSON.stringify([...sizes])).toBeLessThan(MOST_BYTES);
});

test(`the Plan page with its planner is below ${MOST_BYTES / 1000} kB without the map, and does without WebGL`, async () => {
  const sizes = await fetchedAt("#/d/city/plan", refinedPlan);
  const names = [...sizes.keys()];
  expect(names.some((name) => name.includes("planner.worker"))).toBe(true);
  expect(names.filter((name) => /deck-hexagons|webgl/.test(name))).toEqual([]);
  const withoutMap = new Map([...sizes].filter(([name]) => !MAP.test(name)));
  expect(withoutMap.size).toBe(sizes.size - 1);
  expect(total(withoutMap), JSON.stringify([...withoutMap])).toBeLessThan(MOST_BYTES);
});

test("when there is nothing else to do, every page is fetched", async () => {
  await using visit = await openPage({ demo, as: { token } });
  const fetched = new Set<string>();
  visit.page.on("requestfinished", (request) => fetched.add(/\/([a-z]+)-[^/]+\.js$/.exec(request.url())?.[1] ?? ""));
  await visit.page.reload();
  for (const name of ["add", "data", "plan", "release", "ledger", "published", "paper"])
    await expect.poll(() => fetched.has(name), { timeout: 30_000 }).toBe(true);
  await visit.expectClean();
});
