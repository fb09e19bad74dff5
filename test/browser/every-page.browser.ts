/** Every page in light, in dark and on a phone: no violations of WCAG A and AA, nothing beside the screen, nothing that jumps, no errors, nothing leaves the machine. */
import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  cardOf,
  type Demo,
  dropFile,
  expectNoSidewaysScroll,
  expectNoViolations,
  makePlan,
  openPage,
  refinedPlan,
  releasePlan,
  startDemo,
  type Visit,
} from "./support/index.ts";

const LOOKS = [
  { look: "light", theme: "light", width: 1280 },
  { look: "dark", theme: "dark", width: 1280 },
  { look: "phone", theme: "light", width: 360 },
] as const;

interface Shown {
  readonly name: string;
  readonly at: string;
  readonly as: "curator" | "analyst" | "nobody";
  /** Until everything is there. */
  ready(page: Page): Promise<unknown>;
}

let demo: Demo;
let unreleased: string;
const tokens = { curator: "", analyst: "" };
/** One per look and role, used again from page to page. */
const visits = new Map<string, Visit>();

beforeAll(async () => {
  demo = await startDemo();
  tokens.curator = await demo.token("curator");
  tokens.analyst = await demo.token("analyst");
  await releasePlan(demo, tokens.curator, await makePlan(demo, tokens.curator, "1"));
  unreleased = await makePlan(demo, tokens.curator, "0.7");
});
afterAll(async () => {
  for (const visit of visits.values()) await visit[Symbol.asyncDispose]();
  await demo[Symbol.asyncDispose]();
});

const RECORDS = [
  "user,lat,lon,time,value",
  ...Array.from({ length: 60 }, (_, row) => `u${row % 20},52.${500 + row},13.4,2026-03-10T0${row % 10}:00:00Z,${row}`),
].join("\n");

const PAGES: readonly Shown[] = [
  { name: "home", at: "#/", as: "curator", ready: (page) => page.getByRole("heading", { name: "city" }).waitFor() },
  {
    name: "add, with its form",
    at: "#/add",
    as: "curator",
    async ready(page) {
      await dropFile(page.locator(".drop-zone"), "records.csv", RECORDS);
      await page.getByRole("button", { name: "Add and survey" }).waitFor();
    },
  },
  { name: "data", at: "#/d/city/data", as: "curator", ready: (page) => cardOf(page, "Heaviest users").waitFor() },
  { name: "plan", at: "#/d/city/plan", as: "curator", ready: refinedPlan },
  { name: "release, before", at: "release", as: "curator", ready: (page) => cardOf(page, "What it costs").waitFor() },
  { name: "release, after", at: "#/d/city/release", as: "curator", ready: (page) => cardOf(page, "Table").waitFor() },
  { name: "ledger", at: "#/d/city/ledger", as: "curator", ready: (page) => cardOf(page, "Audit trail").waitFor() },
  { name: "published", at: "#/d/city/published", as: "curator", ready: (page) => cardOf(page, "Table").waitFor() },
  { name: "analyst’s home", at: "#/", as: "analyst", ready: (page) => page.locator(".link-card").waitFor() },
  {
    name: "analyst’s published",
    at: "#/d/city/published",
    as: "analyst",
    ready: (page) => cardOf(page, "Table").waitFor(),
  },
  { name: "paper", at: "#/paper", as: "nobody", ready: (page) => page.locator(".live-plot svg").first().waitFor() },
  { name: "sign-in", at: "", as: "nobody", ready: (page) => page.getByLabel("Token").waitFor() },
];

/** One after the other, so that what would jump when an answer comes does jump. */
async function answerSlowly(page: Page): Promise<void> {
  let asked = 0;
  await page.route("**/v1/**", async (route) => {
    asked += 1;
    await setTimeout(60 * (1 + ((asked * 3) % 5)));
    await route.continue();
  });
}

/** A page as it comes when its address is opened. */
async function shown({ name, at, as, ready }: Shown, { look, theme, width }: (typeof LOOKS)[number]): Promise<Visit> {
  const address = at === "release" ? `#/d/city/release?plan=${unreleased}` : at;
  const known = visits.get(`${look} ${as}`);
  if (known === undefined) {
    const role = as === "nobody" ? {} : { as: { token: tokens[as] } };
    const visit = await openPage({ demo, at: address, theme, width, ...role });
    visits.set(`${look} ${as}`, visit);
    await answerSlowly(visit.page);
    await ready(visit.page);
    return visit;
  }
  // Otherwise only what is after # would change, and nothing would be loaded anew.
  await known.page.goto(`${demo.url}/?${encodeURIComponent(name)}${address}`);
  await ready(known.page);
  return known;
}

for (const look of LOOKS)
  for (const each of PAGES)
    test(`${each.name}, ${look.look}`, async () => {
      const visit = await shown(each, look);
      const { page } = visit;
      await page.locator(".loading").waitFor({ state: "detached" });
      expect(await visit.layoutShift()).toBeLessThan(0.1);
      await expectNoViolations(page);
      await expectNoSidewaysScroll(page);
      await visit.expectClean();
    });
