/** Tests a worker thread: results, errors, progress, how it is stopped, and what it leaves behind when it dies. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Progress } from "../../core/planning/index.ts";
import type { PlannedDataset } from "./grid-answers.ts";
import { GridReleases } from "./grid-releases.ts";
import type { Task } from "./tasks.ts";
import { WorkerThread } from "./worker-thread.ts";

/** Does as it is told; keeps count of its tasks. */
const SCRIPT = `
import { parentPort } from "node:worker_threads";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
let tasks = 0;
parentPort.on("message", (message) => {
  if (message.cancel) return void parentPort.postMessage({ error: { code: "CANCELLED", message: "stopped", trace: null } });
  const task = message.task.grids?.[0] ?? message.task;
  tasks += 1;
  if (task === "die") process.exit(3);
  if (task === "throw") throw new Error("47.11");
  if (task === "hang") for (;;);
  if (task === "fail") return void parentPort.postMessage({ error: { code: "INPUT_EMPTY", message: "nothing", trace: null } });
  if (task === "slip") return void parentPort.postMessage({ error: { code: "INTERNAL", message: "oops", trace: "at a.ts" } });
  parentPort.postMessage({ progress: { step: "working", done: 1 } });
  if (task === "wait") return;
  parentPort.postMessage({ result: task === "folder" ? mkdtempSync(tmpdir() + "/spill-") : message.task.grids ? [] : tasks });
});
`;

let folder: string;
let script: URL;
let logged: string[];
const threads: AsyncDisposable[] = [];

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "veilgrid-test-"));
  const file = path.join(folder, "worker.mjs");
  writeFileSync(file, SCRIPT);
  script = pathToFileURL(file);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(async () => {
  for (const each of threads.splice(0)) await each[Symbol.asyncDispose]();
});

/** A thread whose tasks are words. */
function thread(graceMs?: number) {
  logged = [];
  const made = new WorkerThread({ script, graceMs, log: (line) => logged.push(line) });
  threads.push(made);
  return {
    run: (word: string, options?: Parameters<WorkerThread["run"]>[1]) => made.run(word as unknown as Task, options),
    isGone: () => made.isGone,
    [Symbol.asyncDispose]: () => made[Symbol.asyncDispose](),
  };
}

test("one task after the other in one thread, with progress", async () => {
  const one = thread();
  const told: Progress[] = [];
  expect(await one.run("a", { onProgress: (progress) => told.push(progress) })).toBe(1);
  expect(await one.run("b")).toBe(2);
  expect(told).toEqual([{ step: "working", done: 1 }]);
});

test("errors keep code and message; a trace goes to the log; the thread goes on", async () => {
  const one = thread();
  await expect(one.run("fail")).rejects.toMatchObject({ code: "INPUT_EMPTY", message: "nothing" });
  expect(logged).toEqual([]);
  await expect(one.run("slip")).rejects.toMatchObject({ code: "INTERNAL", message: "oops" });
  expect(logged).toEqual(["a task failed: at a.ts"]);
  expect(await one.run("a")).toBe(3);
});

test.each([
  "die",
  "throw",
])("a thread that ends (%s) fails its task, quotes nothing, and takes no other", async (how) => {
  const one = thread();
  await expect(one.run(how)).rejects.toMatchObject({ code: "INTERNAL", message: expect.stringContaining("ended") });
  expect(one.isGone()).toBe(true);
  expect(logged.join()).not.toContain("47.11");
  await expect(one.run("a")).rejects.toMatchObject({ code: "INTERNAL" });
});

test("cancelled work is asked to stop, and its thread goes on", async () => {
  const one = thread();
  const stop = new AbortController();
  const running = one.run("wait", { signal: stop.signal, onProgress: () => stop.abort() });
  await expect(running).rejects.toMatchObject({ code: "CANCELLED" });
  expect(await one.run("a")).toBe(2);
  await expect(one.run("a", { signal: stop.signal })).rejects.toMatchObject({ code: "CANCELLED" });
});

test("work that does not stop is ended with its thread", async () => {
  const one = thread(50);
  const stop = new AbortController();
  const running = one.run("hang", { signal: stop.signal });
  setTimeout(() => stop.abort(), 100);
  await expect(running).rejects.toMatchObject({ code: "CANCELLED" });
  expect(one.isGone()).toBe(true);
});

test("what it put into temporary files is gone with it, and disposing of it stops its work", async () => {
  const one = thread(50);
  const spilled = (await one.run("folder")) as string;
  expect(existsSync(spilled)).toBe(true);
  const running = one.run("hang");
  running.catch(() => undefined);
  await one[Symbol.asyncDispose]();
  await expect(running).rejects.toMatchObject({ code: "CANCELLED" });
  expect(existsSync(path.dirname(spilled))).toBe(false);
});

test("a thread of questions that dies is told of, and the next question has a new one", async () => {
  const places = { ledgerPlace: "ledger.db", ledgerHeadFile: "ledger-head", planFile: (hash: string) => hash };
  const releases = new GridReleases({ ...places, sourceOf: async ({ source }) => source, script });
  threads.push(releases);
  const dataset = { name: "buses", source: "a.csv", recipe: {}, plan: "p", key: "k" } as PlannedDataset;
  await expect(releases.release(dataset, ["die"])).rejects.toMatchObject({
    code: "BUSY",
    message: expect.stringContaining("ask again"),
  });
  expect(await releases.release(dataset, ["north"])).toEqual(new Map());
});
