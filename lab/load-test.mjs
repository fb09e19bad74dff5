/**
 * Fifty analysts ask for overlapping grids while services are killed and started again: `npm run load`; --seconds N (default 60),
 * --nodes N (default 1): that many services on one PostgreSQL ledger.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createClient, ServiceFailure } from "#apps/client";
import { makeRunFolder, removeRunFolder } from "../scripts/servers/run-folder.mjs";

const ANALYSTS = 50;
const SECONDS = numberGiven("--seconds", 60);
const NODES = numberGiven("--nodes", 1);
/** Between kills; a service is up for a while each time. */
const [LEAST_UP_MS, MOST_UP_MS] = [2500, 5500];
const PATIENCE_MS = 20_000;
const START_PATIENCE_MS = 60_000;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const program = path.join(root, "dist", "apps", "cli", "main.js");
const folder = makeRunFolder("veilgrid-load-");
mkdirSync(path.join(folder, "data"));
const states = Array.from({ length: NODES }, (_, node) => path.join(folder, `state-${node + 1}`));

/** Reproducible choices of grids and pauses; nothing private hangs on them. */
let seed = 1;
const chance = () => {
  seed = (seed * 48271) % 2147483647;
  return seed / 2147483647;
};

/** What is killed cannot tidy up: its temporary folders go with this one. */
let env = { ...process.env, TMPDIR: folder };
const veilgrid = (...args) => {
  const run = spawnSync(process.execPath, [program, ...args], { cwd: folder, encoding: "utf8", env });
  if (run.status !== 0) throw new Error(`veilgrid ${args.join(" ")}: ${run.stderr}`);
  return run.stdout;
};
const token = (role) =>
  JSON.parse(veilgrid("token", "create", "--state", states[0], "--role", role, "--name", role, "--json")).token;

/** A service of its own state, which comes back under the same address. */
class Node {
  #state;
  #port;
  #child;

  constructor(state, port) {
    this.#state = state;
    this.#port = port;
  }

  get url() {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(ledger) {
    const options = ["--state", this.#state, "--data", path.join(folder, "data"), "--port", String(this.#port)];
    const shared = ledger === undefined ? [] : ["--ledger", ledger];
    this.#child = spawn(
      process.execPath,
      [program, "serve", ...options, ...shared, "--requests-per-minute", "1000000"],
      { stdio: "ignore", env },
    );
    const until = Date.now() + START_PATIENCE_MS;
    while (Date.now() < until) {
      if ((await fetch(`${this.url}/ready`).catch(() => undefined))?.ok) return;
      await pause(50);
    }
    throw new Error("a service does not come up");
  }

  async stop(signal) {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await new Promise((resolve) => child.once("exit", resolve));
  }
}

const nodes = [];
for (const state of states) nodes.push(new Node(state, await freePort()));
const [first] = nodes;
let server;
let interrupted = false;
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    interrupted = true;
  });

try {
  veilgrid("simulate", "city", "--vehicles", "400", "--records", "60000", "--out", "data/city.parquet");
  const ledger = NODES === 1 ? undefined : await sharedLedger();
  const [curatorToken, analystToken] = [token("curator"), token("analyst")];
  const clientOf = ({ url }, own) => createClient({ url, token: own });
  const curator = clientOf(first, curatorToken);
  await first.start(ledger);
  const { loss, grids } = await prepare(curator, clientOf(first, analystToken));
  // What the others know of datasets, plans and tokens is a copy; what is spent they share.
  if (NODES > 1) {
    await first.stop("SIGTERM");
    for (const state of states.slice(1)) cpSync(states[0], state, { recursive: true });
    for (const node of nodes) await node.start(ledger);
  }
  const analysts = nodes.map((node) => clientOf(node, analystToken));

  const figures = { requests: 0, failures: 0, restarts: 0, times: [] };
  const answers = new Map();
  const until = Date.now() + SECONDS * 1000;
  const isOver = () => interrupted || Date.now() >= until;
  const asking = Array.from({ length: ANALYSTS }, async () => {
    while (!isOver()) {
      // More and more of them are asked for, so that whenever a service is killed some question is the first of its grid.
      const open = Math.ceil((1 - (until - Date.now()) / (SECONDS * 1000)) * grids.length);
      const grid = grids[Math.max(0, Math.min(open, grids.length) - 1 - Math.floor(chance() ** 3 * open))];
      const analyst = analysts[Math.floor(chance() * analysts.length)];
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
  while (!isOver()) {
    await pause(LEAST_UP_MS + chance() * (MOST_UP_MS - LEAST_UP_MS));
    const node = nodes[Math.floor(chance() * nodes.length)];
    await node.stop("SIGKILL");
    figures.restarts += 1;
    await node.start(ledger);
  }
  await Promise.all(asking);
  if (interrupted) throw new Error("interrupted");
  report(figures, answers, grids, loss, await curator.getLedger({ params: { dataset: "city" } }));
  for (const node of nodes) await node.stop("SIGTERM");
  const verified = veilgrid("ledger", "verify", "--ledger", ledger ?? path.join(states[0], "ledger.db"));
  console.log(verified.trim());
} catch (error) {
  console.error(`FAILED: ${error.message}`);
  process.exitCode = 1;
} finally {
  for (const node of nodes) await node.stop("SIGKILL");
  await server?.stop();
  await removeRunFolder(folder);
}

/** A ledger that nodes share: on the engine tests' server if they run this, otherwise on one of its own. */
async function sharedLedger() {
  const given = process.env.VEILGRID_TEST_POSTGRES;
  if (given === undefined) {
    const { start } = await import("../scripts/servers/postgres.mjs");
    server = await start({ folder, log: (line) => console.error(`load test: ${line}`) });
    env = { ...env, ...server.env };
  }
  const address = `${given ?? env.VEILGRID_TEST_POSTGRES}?schema=load-${process.pid}`;
  veilgrid("ledger", "init", "--ledger", address, "--dataset", "city", "--budget", "1", "--occupancy-is-public");
  return address;
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
  if (times.length === 0) throw new Error("nobody got an answer");
  const at = (share) => `${times[Math.floor(share * (times.length - 1))].toFixed(0)} ms`;
  const distinct = Math.max(...[...answers.values()].map((each) => each.size));
  const spent = Number(ledger.loss);
  const whole = answers.size === grids.length;
  const overspend = Math.max(0, spent - loss);
  console.log(
    `services ${NODES}, analysts ${ANALYSTS}, seconds ${SECONDS}, requests ${requests} (${failures} while one was down), restarts ${restarts}`,
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

function numberGiven(flag, otherwise) {
  const at = process.argv.indexOf(flag);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
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
