/** How fast the dashboard is in a real browser: bytes of the first load, first paint, and from the slider to the first answer at the paper's size. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { synthesise } from "#evidence/simulation";
import { findChromium, launchChromium } from "../scripts/chromium.mjs";

const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-speed-"));
const program = path.join(import.meta.dirname, "..", "dist", "apps", "cli", "main.js");
const MOVES = 40;
const VISITS = 9;
const COLD_STARTS = 5;
const BROWSER_START_MS = 2_000;

try {
  const records = path.join(folder, "records");
  await writeRecords(records);
  const service = await serve(records);
  await coldStarts(service);
  const browser = await launchChromium(findChromium());
  try {
    await firstLoads(browser, service);
    await planning(await newContext(browser), service);
  } finally {
    await browser.close();
    await service.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The paper's synthetic array as records: 4,095 users, 12 grids; fewer records per user, as many user–grid pairs. */
async function writeRecords(records) {
  const occupancy = synthesise({ gamma: 3, q: 0.1, seed: 1 });
  mkdirSync(records, { recursive: true });
  const out = createWriteStream(path.join(records, "paper.csv"));
  out.write("user,grid,value\n");
  const { byUser } = occupancy;
  for (let user = 0; user < occupancy.users.length; user++)
    for (let entry = byUser.start[user]; entry < byUser.start[user + 1]; entry++)
      for (let record = 0; record < byUser.count[entry]; record++)
        out.write(`${occupancy.users.get(user)},${occupancy.grids.get(byUser.grid[entry])},${(record * 7) % 65}\n`);
  out.end();
  await once(out, "finish");
}

async function serve(data) {
  const state = path.join(folder, "state");
  const token = await run(["token", "create", "--state", state, "--role", "curator", "--name", "speed"]);
  const child = spawn(process.execPath, [program, "serve", "--state", state, "--data", data, "--port", "0"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let told = "";
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text) => {
    told += text;
  });
  while (!/http:\/\/\S+/.test(told)) {
    if (child.exitCode !== null) throw new Error(told);
    await pause(50);
  }
  const url = /http:\/\/[^\s)]+/.exec(told)[0];
  const call = async (method, route, body) => {
    const answer = await fetch(url + route, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${route}: ${await answer.text()}`);
    return answer.json();
  };
  await call("POST", "/v1/datasets", {
    name: "paper",
    source: "paper.csv",
    recipe: { user: "user", value: "value", by: "grid" },
    bounds: "0,65",
    statistics: "mean",
    unit: "km/h",
    budget: "3",
    occupancyIsPublic: true,
  });
  return {
    url,
    token,
    async stop() {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

async function run(args) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "ignore"] });
  let text = "";
  for await (const chunk of child.stdout) text += chunk;
  return text.trim();
}

/** Without anything in the cache. */
function newContext(browser) {
  return browser.newContext({ viewport: { width: 1280, height: 900 } });
}

/** In a browser that starts with this page: much of that is its own start, as a page of one word shows. */
async function coldStarts(service) {
  const [ours, oneWord] = [[], []];
  for (let start = 0; start < COLD_STARTS; start++) {
    for (const [paints, url] of [
      [ours, `${service.url}/`],
      [oneWord, `${service.url}/health`],
    ]) {
      const browser = await launchChromium(findChromium());
      paints.push((await firstLoad(await newContext(browser), { ...service, url })).paint);
      await browser.close();
    }
  }
  say("first paint, browser just started", spread(ours));
  say("  the same of a page of one word", spread(oneWord));
}

/** Of the page as visitors get it whose browser is running: its own start, which takes a second, is over. */
async function firstLoads(browser, service) {
  const idle = await browser.newPage();
  await idle.goto("data:text/html,<p>a page");
  await pause(BROWSER_START_MS);
  const paints = [];
  let files = [];
  for (let visit = 0; visit < VISITS; visit++) {
    const context = await newContext(browser);
    const load = await firstLoad(context, { ...service, url: `${service.url}/` });
    paints.push(load.paint);
    files = load.files;
    await context.close();
  }
  await idle.close();
  say("first paint, browser running", spread(paints));
  say("bytes with all pages but the map, compressed", kilobytes(files.filter(([name]) => !/grid-map|deck/.test(name))));
}

async function firstLoad(context, { url, token }) {
  const page = await context.newPage();
  await page.addInitScript((value) => sessionStorage.setItem("veilgrid-token", value), token);
  await page.goto(url, { waitUntil: "networkidle" });
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  return page.evaluate(() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
    files: performance
      .getEntries()
      .filter((entry) => "encodedBodySize" in entry)
      .map(({ name, encodedBodySize }) => [name, encodedBodySize]),
  }));
}

async function planning(context, { url, token }) {
  const page = await context.newPage();
  await page.addInitScript((value) => sessionStorage.setItem("veilgrid-token", value), token);
  await page.goto(`${url}/#/d/paper/plan`);
  await page.getByText(/^proven /).waitFor({ timeout: 120_000 });
  for (const [name, query] of [
    ["loss", "loss=1"],
    ["error", "error=8"],
  ]) {
    await page.goto(`${url}/#/d/paper/plan?${query}`);
    await page.getByText(/^proven /).waitFor({ timeout: 120_000 });
    await page.getByText("refined and proven").waitFor({ timeout: 300_000 });
    const slider = page.locator("input[type=range]");
    await slider.focus();
    const times = [];
    for (let move = 0; move < MOVES; move++) {
      const before = await page.evaluate(() => performance.getEntriesByName("veilgrid first answer").length);
      await page.keyboard.press(move % 20 < 10 ? "ArrowRight" : "ArrowLeft");
      await page.waitForFunction(
        (known) => performance.getEntriesByName("veilgrid first answer").length > known,
        before,
        { timeout: 10_000 },
      );
      times.push(await page.evaluate(() => performance.getEntriesByName("veilgrid first answer").at(-1).duration));
      await pause(30);
    }
    times.sort((one, other) => one - other);
    say(
      `slider (${name}) to first answer`,
      `median ${times[MOVES / 2].toFixed(0)} ms, worst of ${MOVES} ${times.at(-1).toFixed(0)} ms`,
    );
  }
  await page.close();
}

function spread(times) {
  const sorted = times.toSorted((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)];
  return `median ${median.toFixed(0)} ms, worst of ${sorted.length} ${sorted.at(-1).toFixed(0)} ms`;
}

function kilobytes(files) {
  return `${(files.reduce((sum, [, bytes]) => sum + bytes, 0) / 1000).toFixed(0)} kB in ${files.length} files`;
}

function say(what, value) {
  console.log(`${what.padEnd(48)} ${value}`);
}
