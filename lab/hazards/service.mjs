/** The built service in a scene of its own, with a dataset that is planned and open to questions. */
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "#apps/client";
import { ledgerShow, ledgerVerify } from "#apps/operations";
import { createToken, startService } from "#apps/service";
import { COLUMNS, recordsText } from "./scene.mjs";
import { SECRET } from "./secret.mjs";

const PATIENCE_MS = 180_000;
const DATASET = "d";

/** Made once: a state folder with tokens, a dataset and its plan, which is copied for each scene. */
export async function makeServiceTemplate(folder) {
  const [state, data] = ["state", "data"].map((name) => path.join(folder, name));
  mkdirSync(data, { recursive: true });
  writeFileSync(path.join(data, "records.csv"), recordsText());
  const service = await startService({ state, data: [data], tool: "veilgrid 0.0.0", log: () => undefined });
  try {
    const token = (role, options = {}) =>
      createToken(service.store, { name: role, role, ...options }, new Date()).token;
    const tokens = {
      curator: token("curator"),
      analyst: token("analyst"),
      oneDay: token("analyst", { expiresDays: 1 }),
    };
    const curator = createClient({ url: service.url, token: tokens.curator });
    const what = { name: DATASET, source: "records.csv", recipe: COLUMNS, bounds: "0,65", budget: "1000" };
    await curator.registerDataset({ body: { ...what, occupancyIsPublic: true } });
    const params = { dataset: DATASET };
    const { id } = await curator.startPlan({ params, body: { strategy: "baseline", epsilon: "0.1" } });
    const job = await finished(curator, id);
    await curator.changeDataset({ params, body: { plan: job.result.plan } });
    const { grids } = await curator.listGrids({ params });
    return { state, data, ...tokens, plan: job.result.plan, grids: grids.map(({ grid }) => grid) };
  } finally {
    await service[Symbol.asyncDispose]();
  }
}

/** A job as it ends, whatever its end is. */
export async function ended(client, id) {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await sleep(30)) {
    const job = await client.getJob({ params: { job: id } });
    if (job.state !== "queued" && job.state !== "running") return job;
  }
  throw new Error(`job ${id} does not end`);
}

async function finished(client, id) {
  const job = await ended(client, id);
  if (job.state !== "done") throw new Error(`job ${job.state}: ${job.error?.message}`);
  return job;
}

/** Serves a copy of the template (or what an earlier one left), for as long as `work` takes. */
export async function withService(here, { template, state = here.at("state"), ...options }, work) {
  const { service } = template;
  if (!existsSync(state)) cpSync(service.state, state, { recursive: true });
  const flags = ["--state", state, "--data", service.data, "--port", "0", "--requests-per-minute", "1000000"];
  const run = here.start(["serve", ...flags], options);
  const url = await addressOf(run);
  const [curator, analyst] = [service.curator, service.analyst].map((token) => createClient({ url, token }));
  const ledger = path.join(state, "ledger.db");
  const params = { dataset: DATASET };
  const served = {
    ...{ url, run, curator, analyst, state, ledger, params, grids: service.grids, plan: service.plan },
    /** The answer to a question as one text. */
    ask: async (index) => JSON.stringify(await analyst.askGrid({ params: { ...params, grid: service.grids[index] } })),
    /** An answer or a refusal. */
    tryAsk: (index) =>
      served.ask(index).then(
        (text) => ({ text }),
        (error) => ({ error }),
      ),
    spent: async () => (await curator.getLedger({ params })).exact.loss,
  };
  try {
    return await work(served);
  } finally {
    if (run.child.exitCode === null && run.child.signalCode === null) run.child.kill("SIGTERM");
    await run.ended;
    if (run.stderr.includes(SECRET)) here.tally.problem(`a service's log quotes a value: ${run.stderr}`);
    const left = readdirSync(here.folder).filter((name) => name.startsWith("veilgrid-rows-"));
    if (left.length > 0 && run.signal === null) here.tally.problem(`a service left ${left.join(", ")}`);
  }
}

async function addressOf(run) {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await sleep(10)) {
    const found = /veilgrid serves (\S+)/.exec(run.stdout);
    if (found !== null) return found[1];
    if (run.child.exitCode !== null || run.child.signalCode !== null) break;
  }
  throw new Error(`the service does not come up: ${run.stderr.slice(0, 500)}`);
}

/** A refusal by the service: one clear line with a code, and no value in it. */
export function refusedByService(error, { tally, what, status, line }) {
  const { message = "", status: found } = error ?? {};
  if (!status.includes(found)) tally.problem(`${what}: answered ${found}: ${message}`);
  if (message.includes("\n") || message.includes(SECRET) || message === "") tally.problem(`${what}: said ${message}`);
  if (line !== undefined && !line.test(message)) tally.problem(`${what}: said ${message}`);
}

/** What the ledger of a service says when all questions are answered: consistent, nothing pending, and charged for exactly these grids. */
export async function serviceAccounts(here, { ledger, released, what }) {
  const { tally } = here;
  const { consistent, problems } = await ledgerVerify({ ledger });
  if (!consistent) tally.loss(`${what}: ledger verify: ${problems[0]}`);
  const [{ releases }] = await ledgerShow({ ledger, dataset: DATASET });
  const pending = releases.reduce((sum, each) => sum + each.pending.length, 0);
  if (pending > 0) tally.loss(`${what}: ${pending} grids stay pending`);
  const parts = (await ledgerVerify({ ledger })).counts.parts;
  if (parts < released) tally.double(`${what}: ${released} grids given out, ${parts} charged`);
  if (parts > released) tally.loss(`${what}: ${parts} grids charged, ${released} given out`);
}
