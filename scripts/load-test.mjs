/** Fifty analysts ask for overlapping grids while the service is killed and started again: `npm run load`; --seconds N (default 60). */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createClient, ServiceFailure } from "veilgrid/client";

const ANALYSTS = 50;
const given = process.argv.indexOf("--seconds");
const SECONDS = given < 0 ? 60 : Number(process.argv[given + 1]);
/** Between kills; the service is up for a while each time. */
const [LEAST_UP_MS, MOST_UP_MS] = [2500, 5500];
const PATIENCE_MS = 20_000;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const program = path.join(root, "dist", "cli", "main.js");
const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-load-"));
const state = path.join(folder, "state");
mkdirSync(path.join(folder, "data"));

/** Reproducible choices of grids and pauses; nothing private hangs on them. */
let seed = 1;
const chance = () => {
  seed = (seed * 48271) % 2147483647;
  return seed / 2147483647;
};

const veilgrid = (...args) => {
  const run = spawnSync(process.execPath, [program, ...args], { cwd: folder, encoding: "utf8" });
  if (run.status !== 0) throw new Error(`veilgrid ${args.join(" ")}: ${run.stderr}`);
  return run.stdout;
};
const token = (role) =>
  JSON.parse(veilgrid("token", "create", "--state", state, "--role", role, "--name", role, "--json")).token;

let child;
let stopping = false;
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const start = () => {
  child = spawn(
    process.execPath,
    [
      program,
      "serve",
      "--state",
      state,
      "--data",
      path.join(folder, "data"),
      "--port",
      String(port),
      "--requests-per-minute",
      "1000000",
    ],
    {
      stdio: ["ignore", "ignore", "ignore"],
    },
  );
};
const ready = async () => {
  const until = Date.now() + PATIENCE_MS;
  while (Date.now() < until) {
    if ((await fetch(`${url}/ready`).catch(() => undefined))?.ok) return;
    await pause(50);
  }
  throw new Error("the service does not come up");
};

try {
  veilgrid("simulate", "city", "--vehicles", "400", "--records", "60000", "--out", "data/city.parquet");
  const curator = createClient({ url, token: token("curator") });
  const analyst = createClient({ url, token: token("analyst") });
  start();
  await ready();
  const { loss, grids } = await prepare(curator, analyst);

  const figures = { requests: 0, failures: 0, restarts: 0, times: [] };
  const answers = new Map();
  const until = Date.now() + SECONDS * 1000;
  const asking = Array.from({ length: ANALYSTS }, async () => {
    while (Date.now() < until) {
      // More and more of them are asked for, so that whenever the service is killed some question is the first of its grid.
      const open = Math.ceil((1 - (until - Date.now()) / (SECONDS * 1000)) * grids.length);
      const grid = grids[Math.max(0, Math.min(open, grids.length) - 1 - Math.floor(chance() ** 3 * open))];
      const began = performance.now();
      try {
        figures.requests += 1;
        const answer = await analyst.askGrid({
          params: { dataset: "city", grid },
          signal: AbortSignal.timeout(PATIENCE_MS),
        });
        figures.times.push(performance.now() - began);
        const digest = createHash("sha256").update(JSON.stringify(answer)).digest("hex");
        answers.set(grid, (answers.get(grid) ?? new Set()).add(digest));
      } catch (error) {
        figures.failures += 1;
        if (error instanceof ServiceFailure && error.status < 500) throw error;
        await pause(100);
      }
    }
  });
  while (Date.now() < until) {
    await pause(LEAST_UP_MS + chance() * (MOST_UP_MS - LEAST_UP_MS));
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
    figures.restarts += 1;
    start();
    await ready();
  }
  await Promise.all(asking);
  report(figures, answers, grids, loss, await curator.getLedger({ params: { dataset: "city" } }));
  stopping = true;
  child.kill("SIGTERM");
  await new Promise((resolve) => child.once("exit", resolve));
  const verified = veilgrid("ledger", "verify", "--ledger", path.join(state, "ledger.db"));
  console.log(verified.trim());
} finally {
  if (!stopping) child?.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}

/** A dataset whose budget is exactly the price of all its grids, so that the smallest overspend would be refused. */
async function prepare(curator, analyst) {
  const recipe = {
    user: "vehicle_id",
    value: "speed",
    lat: "latitude",
    lon: "longitude",
    h3: "8",
    time: "timestamp",
    slot: "1d",
    tz: "+05:30",
    top: "200",
  };
  await curator.registerDataset({
    body: {
      name: "city",
      source: "city.parquet",
      recipe,
      bounds: "0,65",
      statistics: "mean",
      budget: "1",
      occupancyIsPublic: true,
    },
  });
  const { id } = await curator.startPlan({
    params: { dataset: "city" },
    body: { strategy: "baseline", epsilon: "0.01" },
  });
  const job = await finished(curator, id);
  const plan = job.result.plan;
  await curator.changeDataset({ params: { dataset: "city" }, body: { plan } });
  const { grids } = await analyst.listGrids({ params: { dataset: "city" } });
  return { loss: job.result.summary.loss, grids: grids.map(({ grid }) => grid) };
}

async function finished(curator, id) {
  for (;;) {
    const job = await curator.getJob({ params: { job: id } });
    if (job.state === "done") return job;
    if (job.state !== "queued" && job.state !== "running") throw new Error(`job ${job.state}: ${job.error?.message}`);
    await pause(100);
  }
}

function report({ requests, failures, restarts, times }, answers, grids, loss, ledger) {
  times.sort((left, right) => left - right);
  const at = (share) => `${times[Math.floor(share * (times.length - 1))].toFixed(0)} ms`;
  const distinct = Math.max(...[...answers.values()].map((each) => each.size));
  const spent = Number(ledger.loss);
  const whole = answers.size === grids.length;
  const overspend = Math.max(0, spent - loss);
  console.log(
    `analysts ${ANALYSTS}, seconds ${SECONDS}, requests ${requests} (${failures} while it was down), restarts ${restarts}`,
  );
  console.log(
    `grids asked ${answers.size} of ${grids.length}, distinct answers per grid ${distinct}, p50 ${at(0.5)}, p99 ${at(0.99)}`,
  );
  console.log(`price of all grids ${loss}, spent ${spent}, overspend ${overspend}`);
  if (distinct !== 1 || overspend > 1e-15 || (whole && Math.abs(spent - loss) > 1e-12)) {
    console.error("FAILED: an answer changed, or more or less was charged than the grids cost");
    process.exitCode = 1;
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = server.address();
      server.close(() => resolve(free));
    });
  });
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
