/** Jobs in real threads, as built: every kind of work, its progress, and cancelling what takes long. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import type { JobEvent, JobRow, JobRunner, JobTask, ServiceStore } from "../../src/apps/service/index.ts";
import { BUS_RECIPE, builtService } from "../support/built-service.ts";
import { veilgridDone } from "../support/cli.ts";
import { done, releaseFolder, SECRET, standingOf } from "../support/release-folder.ts";

let folder: string;
let large: string;
let store: ServiceStore;
let jobs: JobRunner | undefined;

beforeAll(async () => {
  folder = await releaseFolder();
  process.env["TMPDIR"] = path.join(folder, "tmp");
  mkdirSync(process.env["TMPDIR"]);
  large = path.join(folder, "large.csv");
  const array = ["--grids", "15", "--gamma", "3", "--q", "0.01", "--seed", "1", "--out", large];
  await veilgridDone(["simulate", "synthetic", ...array], { in: folder });
  const { ServiceStore } = await builtService();
  store = ServiceStore.open(path.join(folder, "state"), { create: true });
});

afterEach(async () => {
  await jobs?.[Symbol.asyncDispose]();
  jobs = undefined;
  // An engine of this process is kept for a moment.
  await expect.poll(threadFolders, { timeout: 20_000 }).toEqual([]);
});

/** What threads of this process have not tidied up. */
const threadFolders = (): string[] => readdirSync(tmpdir());

async function makeRunner(): Promise<JobRunner> {
  const { JobRunner, runInThread } = await builtService();
  jobs = new JobRunner({ store, concurrent: 1, queued: 5, runTask: runInThread() });
  return jobs;
}

async function run(of: JobRunner, task: JobTask): Promise<{ job: JobRow; events: JobEvent[] }> {
  const { id } = of.start("buses", {}, task);
  const events: JobEvent[] = [];
  for await (const event of of.events(id, new AbortController().signal)) events.push(event);
  return { job: store.job(id)!, events };
}

const states = (events: readonly JobEvent[]): unknown[] =>
  events.filter(({ type }) => type === "state").map(({ data }) => (data as JobRow).state);

test("survey, plan, compare and release give what the command line gives as JSON", async () => {
  const source = path.join(folder, "records.csv");
  const runner = await makeRunner();
  const surveyed = await run(runner, { kind: "survey", source, recipe: BUS_RECIPE });
  expect(surveyed.job).toMatchObject({ state: "done", error: null });
  const flags = ["--user", "who", "--value", "speed", "--by", "line", "--lat", "lat", "--lon", "lon"];
  const grids = [...flags, "--h3", "7", "--time", "at", "--slot", "1d"];
  const printed = await done(["survey", source, ...grids, "--json"], folder);
  const { records, ...counts } = JSON.parse(printed.stdout);
  expect(records.files).toEqual([source]);
  // Where files lie is told on the command line only.
  expect(surveyed.job.result).toEqual({ ...counts, records: { ...records, files: ["records.csv"] } });

  const planOptions = { bounds: "0,50", loss: "1", records: BUS_RECIPE };
  const planned = await run(runner, { kind: "plan", source, options: planOptions });
  const { plan, summary } = planned.job.result as { plan: string; summary: { planHash: string } };
  expect([planned.job.state, states(planned.events).at(-1), summary.planHash]).toEqual(["done", "done", plan]);
  expect(planned.events.some(({ type }) => type === "progress")).toBe(true);
  const written = path.join(folder, "same.json");
  await done(["plan", source, ...grids, "--bounds", "0,50", "--loss", "1", "--out", written], folder);
  expect(readFileSync(store.planFile(plan), "utf8")).toBe(readFileSync(written, "utf8"));

  const compareOptions = { bounds: "0,50", loss: "1", strategies: "baseline", records: BUS_RECIPE };
  const compared = await run(runner, { kind: "compare", source, options: compareOptions });
  expect(compared.job).toMatchObject({ state: "done", result: { goal: "loss" } });

  const ledger = path.join(folder, "ledger.db");
  const options = { plan: store.planFile(plan), ledger, dataset: "buses", key: "may", out: folder, replaySeed: "1" };
  const released = await run(runner, { kind: "release", source, options });
  expect(released.job).toMatchObject({ state: "done", result: { key: "may", planHash: plan, notPrivate: false } });
  expect(readdirSync(folder)).not.toContain("statistics.csv");
  expect((await standingOf(folder)).releases).toMatchObject([{ key: "may", state: "committed" }]);
  expect(JSON.stringify(store.jobs())).not.toContain(SECRET);
  for (const { result } of [surveyed, planned, compared, released].map(({ job }) => job))
    expect(JSON.stringify(result)).not.toContain(folder);
});

test("an error comes with its code, and the thread's folder goes with it", async () => {
  const { job } = await run(await makeRunner(), {
    kind: "plan",
    source: path.join(folder, "gone.csv"),
    options: { bounds: "0,50", loss: "1", records: BUS_RECIPE },
  });
  expect(job).toMatchObject({ state: "failed", error: { code: "INPUT_NOT_FOUND" }, result: null });
});

test("a long plan is cancelled while it runs, and the next job begins", async () => {
  const runner = await makeRunner();
  const work: JobTask = { kind: "plan", source: large, options: { bounds: "0,65", loss: "1" } };
  const { id } = runner.start("large", {}, work);
  const events: JobEvent[] = [];
  for await (const event of runner.events(id, new AbortController().signal)) {
    events.push(event);
    if (event.type === "progress" && events.length > 3) break;
  }
  expect(states(events)).toEqual(["running"]);
  const next = runner.start("large", {}, { kind: "survey", source: large, recipe: {} });
  expect(next.state).toBe("queued");
  expect(await runner.cancel(id)).toBe(true);
  expect(store.job(id)).toMatchObject({ state: "cancelled", result: null, error: null });
  for await (const event of runner.events(next.id, new AbortController().signal)) events.push(event);
  expect(store.job(next.id)).toMatchObject({ state: "done", result: { grids: 15 } });
});

test("at the end what runs is interrupted", async () => {
  const runner = await makeRunner();
  const options = { bounds: "0,65", loss: "1" };
  const { id } = runner.start("large", {}, { kind: "plan", source: large, options });
  await runner[Symbol.asyncDispose]();
  expect(store.job(id)).toMatchObject({ state: "interrupted" });
});
