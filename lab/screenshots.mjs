/** Makes docs/dashboard/*.png anew: every page of the dashboard in light, in dark and on a phone, of a demo with one release and one more plan: `npm run screenshots`. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createClient } from "../dist/apps/client/index.js";
import { findChromium, launchChromium } from "../scripts/chromium.mjs";
import { fewerColours } from "./fewer-colours.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const program = path.join(root, "dist", "apps", "cli", "main.js");
const shelf = path.join(root, "docs", "dashboard");
const LOOKS = [
  { look: "light", theme: "light", width: 1280, height: 900, tallest: 2000 },
  { look: "dark", theme: "dark", width: 1280, height: 900, tallest: 2000 },
  { look: "phone", theme: "light", width: 360, height: 780, tallest: 1800 },
];
const DATASET = { params: { dataset: "city" } };
/** Only these, if any are named. */
const wanted = process.argv.slice(2);

const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-screenshots-"));
const served = await serve();
const browser = await launchChromium(findChromium());
try {
  mkdirSync(shelf, { recursive: true });
  const prepared = await prepare();
  for (const look of LOOKS) await picture(prepared, look);
} finally {
  await browser.close();
  await served.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function serve() {
  const flags = ["serve", "--demo", "--state", path.join(folder, "state"), "--port", "0"];
  // Nobody reads what it logs, so it must not wait for that.
  const child = spawn(process.execPath, [program, ...flags], { stdio: ["ignore", "pipe", "ignore"] });
  const [, url, code] = await new Promise((resolve, reject) => {
    let told = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      told += text;
      const found = told.match(/open (http:\/\/[^/]+)\/#code=(\S+)/);
      if (found !== null) resolve(found);
    });
    child.once("exit", (status) => reject(new Error(`serve --demo ended with ${status}`)));
  });
  const stop = async () => {
    child.kill("SIGINT");
    await once(child, "exit");
  };
  return { url, code, stop };
}

/** One release of means, which analysts see, and a plan that waits for its own. */
async function prepare() {
  const { token } = await createClient({ url: served.url }).redeemCode({ body: { code: served.code } });
  const service = createClient({ url: served.url, token });
  const { plan } = await service.getDataset(DATASET);
  const released = await ended(service, await service.startRelease({ ...DATASET, body: { plan } }));
  await service.changeDataset({ ...DATASET, body: { plan, key: released.key } });
  const waiting = await ended(
    service,
    await service.startPlan({ ...DATASET, body: { statistics: "mean", loss: "1.5" } }),
  );
  const records = path.join(folder, "bus-trips.csv");
  run("simulate", "city", "--vehicles", "100", "--records", "3000", "--out", records);
  const flags = ["--state", path.join(folder, "state"), "--role", "analyst", "--name", "analyst"];
  return {
    curator: token,
    analyst: run("token", "create", ...flags).trim(),
    waiting: waiting.plan,
    records: readFileSync(records, "utf8"),
    grid: (await service.listGrids(DATASET)).grids[5].grid,
  };
}

function run(...parameters) {
  return execFileSync(process.execPath, [program, ...parameters], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

async function ended(service, { id: job }) {
  for (;;) {
    const { state, result, error } = await service.getJob({ params: { job } });
    if (state === "done") return result;
    if (state !== "queued" && state !== "running") throw new Error(`job ${state}: ${error?.message}`);
    await setTimeout(200);
  }
}

function pagesOf({ waiting, records, grid }) {
  const card = (title) => (page) => page.getByRole("region", { name: title, exact: true }).waitFor();
  const chosen = `grid=${encodeURIComponent(grid)}`;
  return [
    { name: "sign-in", as: null, at: "", ready: (page) => page.getByLabel("Token").waitFor() },
    {
      name: "paper",
      as: null,
      at: "#/paper/beyond-loss-gamma-3",
      ready: (page) => page.locator(".live-plot svg").first().waitFor(),
    },
    { name: "home", as: "curator", at: "#/", ready: (page) => page.getByRole("heading", { name: "city" }).waitFor() },
    {
      name: "add",
      as: "curator",
      at: "#/add",
      async ready(page) {
        await drop(page, "bus-trips.csv", records);
        await page.getByRole("button", { name: "Add and survey" }).waitFor();
      },
    },
    { name: "data", as: "curator", at: `#/d/city/data?${chosen}`, ready: card("Heaviest users") },
    {
      name: "plan",
      as: "curator",
      at: "#/d/city/plan?loss=1.5",
      async ready(page) {
        await page.getByRole("region", { name: "What you get" }).locator(".badge.good").waitFor();
        await page.getByText("refined and proven").waitFor();
      },
    },
    { name: "release", as: "curator", at: `#/d/city/release?plan=${waiting}`, ready: card("What it costs") },
    { name: "released", as: "curator", at: `#/d/city/release?${chosen}`, ready: card("Privacy statement") },
    {
      name: "ledger",
      as: "curator",
      at: "#/d/city/ledger",
      async ready(page) {
        await page.getByRole("button", { name: "Verify the ledger" }).click();
        await page.getByText("Consistent.").waitFor();
      },
    },
    { name: "published", as: "analyst", at: `#/d/city/published?${chosen}`, ready: card("Privacy statement") },
  ].filter(({ name }) => wanted.length === 0 || wanted.includes(name));
}

async function picture(prepared, { look, theme, width, height, tallest }) {
  for (const { name, as, at, ready } of pagesOf(prepared)) {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      deviceScaleFactor: 1,
      reducedMotion: "reduce",
    });
    // The planner proves what it says, which takes as long as it takes.
    context.setDefaultTimeout(300_000);
    if (as !== null)
      await context.addInitScript((token) => sessionStorage.setItem("veilgrid-token", token), prepared[as]);
    const page = await context.newPage();
    await page.goto(`${served.url}/${at}`);
    await ready(page);
    await page.locator(".loading").waitFor({ state: "detached" });
    await page.evaluate(() => {
      document.activeElement?.blur();
      scrollTo(0, 0);
    });
    const content = await page.evaluate(() => document.documentElement.scrollHeight);
    const clip = { x: 0, y: 0, width, height: Math.min(tallest, Math.max(height, content)) };
    const png = fewerColours(await page.screenshot({ fullPage: true, clip }));
    writeFileSync(path.join(shelf, `${name}-${look}.png`), png);
    console.log(`${name}-${look}.png: ${clip.width} × ${clip.height}, ${Math.ceil(png.length / 1000)} kB`);
    await context.close();
  }
}

async function drop(page, name, content) {
  const transfer = await page.evaluateHandle(
    ([fileName, text]) => {
      const made = new DataTransfer();
      made.items.add(new File([text], fileName));
      return made;
    },
    [name, content],
  );
  await page.locator(".drop-zone").dispatchEvent("drop", { dataTransfer: transfer });
}
