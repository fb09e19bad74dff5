/** How much is fetched before a page is there: sizes, which are the same on any machine; times are measured elsewhere. */
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

/** Files of the dashboard as they came over the wire, packed, until `ready`; none that are fetched when there is nothing else to do. */
async function fetchedAt(at: string, ready: (page: Page) => Promise<unknown>): Promise<Map<string, number>> {
  await using visit = await openPage({ demo, as: { token }, at: "#/paper" });
  const { page } = visit;
  await page.addInitScript(() => {
    globalThis.requestIdleCallback = () => 0;
  });
  const sizes = new Map<string, Promise<number>>();
  page.on("requestfinished", (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith("/v1/"))
      sizes.set(
        pathname,
        request.sizes().then(({ responseBodySize }) => responseBodySize),
      );
  });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Network.setCacheDisabled", { cacheDisabled: true });
  await page.goto(`${demo.url}/?again${at}`);
  await ready(page);
  await page.waitForLoadState("networkidle");
  const known = await Promise.all([...sizes].map(async ([name, size]) => [name, await size] as const));
  await visit.expectClean();
  return new Map(known);
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
