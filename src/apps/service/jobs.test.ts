/** Tests jobs: limits, order of states, cancelling, events, kept failures, and what a restart finds. */
import { beforeEach, describe, expect, test } from "vitest";
import { VeilgridError } from "../../core/errors/index.ts";
import type { JobEvent } from "./jobs.ts";
import { JobRunner, type JobRunnerOptions } from "./jobs.ts";
import type { JobRow, PlanRow } from "./rows.ts";
import type { JobTask, RunOptions, RunTask } from "./tasks.ts";

/** The store's rows in memory, with every state that a job went through. */
class MemoryStore {
  readonly rows = new Map<string, JobRow>();
  readonly plans: Array<PlanRow & { text: string }> = [];
  readonly states: string[] = [];

  putJob(row: JobRow): void {
    this.rows.set(row.id, row);
    this.states.push(`${row.dataset} ${row.state}`);
  }

  updateJob(id: string, changes: Partial<JobRow>): void {
    const row = { ...this.rows.get(id)!, ...changes };
    this.rows.set(id, row);
    this.states.push(`${row.dataset} ${row.state}`);
  }

  job(id: string): JobRow | undefined {
    return this.rows.get(id);
  }

  interruptJobs(at: string): number {
    const left = [...this.rows.values()].filter(({ state }) => state === "queued" || state === "running");
    for (const { id } of left) this.updateJob(id, { state: "interrupted", ended: at });
    return left.length;
  }

  putPlan(row: PlanRow, text: string): void {
    this.plans.push({ ...row, text });
  }
}

/** Work that ends when the test says so. */
interface Running extends RunOptions {
  readonly task: JobTask;
  readonly finish: (result: unknown) => void;
  readonly fail: (error: unknown) => void;
}

let store: MemoryStore;
let running: Running[];
let logged: string[];

const runTask: RunTask = (task, options) =>
  new Promise((resolve, reject) => {
    running.push({ task, ...options, finish: resolve, fail: reject });
    options.signal.addEventListener("abort", () => reject(new VeilgridError("CANCELLED", "cancelled")));
  });

beforeEach(() => {
  store = new MemoryStore();
  [running, logged] = [[], []];
});

function runner(changed: Partial<JobRunnerOptions> = {}): JobRunner {
  return new JobRunner({
    ...{ store, concurrent: 1, queued: 2, runTask },
    now: () => new Date("2026-05-01T00:00:00Z"),
    log: (line) => logged.push(line),
    ...changed,
  });
}

const start = (jobs: JobRunner, dataset = "buses"): JobRow =>
  jobs.start(dataset, { a: 1 }, { kind: "survey", source: "a.csv", recipe: {} });

/** Lets everything that is ready happen. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function followed(jobs: JobRunner, id: string, signal = new AbortController().signal): Promise<JobEvent[]> {
  const events: JobEvent[] = [];
  for await (const event of jobs.events(id, signal)) events.push(event);
  return events;
}

describe("limits", () => {
  test("so many run, so many wait, and the next is refused and not kept", async () => {
    const jobs = runner({ concurrent: 2, queued: 1 });
    const states = ["a", "b", "c"].map((name) => start(jobs, name).state);
    expect(states).toEqual(["running", "running", "queued"]);
    expect(jobs.counts).toEqual({ running: 2, queued: 1 });
    expect(() => start(jobs, "d")).toThrow(expect.objectContaining({ code: "BUSY" }));
    expect([...store.rows.values()].map(({ dataset }) => dataset)).toEqual(["a", "b", "c"]);
    running[1]!.finish({});
    await settle();
    expect(jobs.counts).toEqual({ running: 2, queued: 0 });
    expect(start(jobs, "d").state).toBe("queued");
  });

  test("with no room to wait, what can run still runs", async () => {
    const jobs = runner({ queued: 0 });
    start(jobs);
    expect(() => start(jobs)).toThrow(expect.objectContaining({ code: "BUSY" }));
    running[0]!.finish({});
    await settle();
    expect(start(jobs).state).toBe("running");
  });

  test("those that wait run in the order they came, also after a failure", async () => {
    const jobs = runner();
    for (const name of ["a", "b", "c"]) start(jobs, name);
    running[0]!.fail(new Error("no"));
    await settle();
    running[1]!.finish(1);
    await settle();
    running[2]!.finish(2);
    await settle();
    expect(store.states).toEqual([
      ...["a queued", "a running", "b queued", "c queued"],
      ...["a failed", "b running", "b done", "c running", "c done"],
    ]);
    expect(jobs.counts).toEqual({ running: 0, queued: 0 });
  });
});

describe("what is kept", () => {
  test("of a job that is done: its wishes, times and result", async () => {
    const { id } = start(runner());
    running[0]!.finish({ users: 3 });
    await settle();
    const time = "2026-05-01T00:00:00.000Z";
    const kept = { kind: "survey", dataset: "buses", wishes: { a: 1 }, state: "done", error: null };
    expect(store.job(id)).toEqual({ id, ...kept, created: time, started: time, ended: time, result: { users: 3 } });
  });

  test("of a plan: the text in the store's plans, its hash and summary in the job", async () => {
    const { id } = runner().start("buses", {}, { kind: "plan", source: "a.csv", options: {} });
    const summary = { planHash: "f".repeat(64), loss: 1 };
    running[0]!.finish({ summary, text: "the plan" });
    await settle();
    expect(store.plans).toEqual([
      { hash: summary.planHash, dataset: "buses", created: "2026-05-01T00:00:00.000Z", summary, text: "the plan" },
    ]);
    expect(store.job(id)).toMatchObject({ state: "done", result: { plan: summary.planHash, summary } });
  });

  test("of our errors: code and message", async () => {
    const { id } = start(runner());
    running[0]!.fail(new VeilgridError("INPUT_EMPTY", "'a.csv' holds no records"));
    await settle();
    const error = { code: "INPUT_EMPTY", message: "'a.csv' holds no records" };
    expect(store.job(id)).toMatchObject({ state: "failed", error, result: null });
    expect(logged).toEqual([]);
  });

  test("of other errors: a fixed sentence; the log says where, and neither says what might be a value", async () => {
    const { id } = start(runner());
    running[0]!.fail(new TypeError("cannot convert '47.11'"));
    await settle();
    expect(store.job(id)!.error).toEqual({
      code: "INTERNAL",
      message: "something went wrong that should not; the service's log says where",
    });
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatch(/TypeError; at .*jobs\.test\.ts/);
    expect(JSON.stringify([store.job(id), logged])).not.toContain("47.11");
  });

  test("a store that fails at the end of a job does not keep the next from running", async () => {
    const jobs = runner();
    const { id } = start(jobs, "a");
    start(jobs, "b");
    const update = store.updateJob.bind(store);
    store.updateJob = (of, changes) => {
      if (changes.state === "done" && of === id) throw new Error("the disk is full");
      update(of, changes);
    };
    running[0]!.finish({});
    await settle();
    expect(running.map(({ task }) => task.kind)).toEqual(["survey", "survey"]);
    expect(logged[0]).toMatch(/its end could not be kept/);
  });
});

describe("cancelling", () => {
  test("what waits never runs", async () => {
    const jobs = runner();
    start(jobs, "a");
    const { id } = start(jobs, "b");
    expect(await jobs.cancel(id)).toBe(true);
    expect(store.job(id)).toMatchObject({ state: "cancelled", started: null, result: null, error: null });
    running[0]!.finish({});
    await settle();
    expect(running).toHaveLength(1);
  });

  test("what runs is told to stop, and the next begins when it has", async () => {
    const jobs = runner();
    const { id } = start(jobs, "a");
    start(jobs, "b");
    expect(await jobs.cancel(id)).toBe(true);
    expect(running[0]!.signal.aborted).toBe(true);
    expect(store.job(id)).toMatchObject({ state: "cancelled", error: null, ended: expect.any(String) });
    expect(store.states).toEqual(["a queued", "a running", "b queued", "a cancelled", "b running"]);
  });

  test("a result that comes too late is not kept", async () => {
    const late: RunTask = async (_, { signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { summary: { planHash: "f".repeat(64) }, text: "late" };
    };
    const jobs = runner({ runTask: late });
    const { id } = jobs.start("buses", {}, { kind: "plan", source: "a.csv", options: {} });
    expect(await jobs.cancel(id)).toBe(true);
    expect([store.plans, store.job(id)]).toMatchObject([[], { state: "cancelled", result: null }]);
  });

  test("is no longer possible after the end, or for a job that never was", async () => {
    const jobs = runner();
    const { id } = start(jobs);
    running[0]!.finish({});
    await settle();
    expect([await jobs.cancel(id), await jobs.cancel("nobody")]).toEqual([false, false]);
    expect(store.job(id)!.state).toBe("done");
  });
});

describe("events", () => {
  const short = (events: readonly JobEvent[]): unknown[] =>
    events.map(({ type, data }) => (type === "state" ? (data as JobRow).state : data));

  test("from the latest state on, with progress, to the end; in ascending ids", async () => {
    const jobs = runner();
    start(jobs, "a");
    const { id } = start(jobs, "b");
    const early = followed(jobs, id);
    running[0]!.finish({});
    await settle();
    running[1]!.onProgress({ step: "reading", done: 1 });
    await settle();
    const late = followed(jobs, id);
    running[1]!.onProgress({ step: "reading", done: 2 });
    await settle();
    running[1]!.finish({});
    const [first, second] = [
      { step: "reading", done: 1 },
      { step: "reading", done: 2 },
    ];
    expect(short(await early)).toEqual(["queued", "running", first, second, "done"]);
    expect(short(await late)).toEqual(["running", first, second, "done"]);
    const ids = (await early).map((event) => event.id);
    expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
  });

  test("a slow follower misses progress, not a state", async () => {
    const jobs = runner();
    const { id } = start(jobs);
    const follower = jobs.events(id, new AbortController().signal)[Symbol.asyncIterator]();
    await follower.next();
    for (const done of [1, 2, 3]) running[0]!.onProgress({ step: "reading", done });
    running[0]!.fail(new VeilgridError("INPUT_EMPTY", "nothing"));
    await settle();
    const rest: JobEvent[] = [];
    for (let next = await follower.next(); !next.done; next = await follower.next()) rest.push(next.value);
    expect(short(rest)).toEqual([{ step: "reading", done: 3 }, "failed"]);
    expect(rest.at(-1)!.data).toMatchObject({ error: { code: "INPUT_EMPTY" } });
  });

  test("of a job that has ended: its state, and that is all", async () => {
    const jobs = runner();
    const { id } = start(jobs);
    running[0]!.finish({ large: true });
    await settle();
    const events = await followed(jobs, id);
    expect(short(events)).toEqual(["done"]);
    expect(JSON.stringify(events)).not.toContain("large");
  });

  test("end when nobody listens any more, and are refused for a job that never was", async () => {
    const jobs = runner();
    const { id } = start(jobs);
    const leaving = new AbortController();
    const events = followed(jobs, id, leaving.signal);
    await settle();
    leaving.abort();
    expect(short(await events)).toEqual(["running"]);
    expect(() => jobs.events("nobody", leaving.signal)).toThrow(expect.objectContaining({ code: "NOT_FOUND" }));
  });
});

describe("stopping and starting again", () => {
  test("what had not ended is interrupted, and nothing new is taken", async () => {
    const jobs = runner();
    const ids = ["a", "b"].map((name) => start(jobs, name).id);
    const events = followed(jobs, ids[0]!);
    await jobs[Symbol.asyncDispose]();
    expect(ids.map((id) => store.job(id)!.state)).toEqual(["interrupted", "interrupted"]);
    expect(running).toHaveLength(1);
    expect((await events).at(-1)!.data).toMatchObject({ state: "interrupted" });
    expect(() => start(jobs)).toThrow(expect.objectContaining({ code: "BUSY" }));
  });

  test("what a former process left is interrupted at the start", () => {
    const former = runner();
    const ids = ["a", "b"].map((name) => start(former, name).id);
    const jobs = runner();
    expect(ids.map((id) => store.job(id))).toMatchObject([{ state: "interrupted" }, { state: "interrupted" }]);
    expect(jobs.counts).toEqual({ running: 0, queued: 0 });
  });
});

test("no failure names a folder, neither in what is kept nor in what is told", async () => {
  const folders = ["/srv/data", "/var/lib/veilgrid"];
  const source = "/srv/data/deep/trips.csv";
  const jobs = runner({ folders });
  const messages = [
    [`'${source}' has no column 'speed'`, "'trips.csv' has no column 'speed'"],
    ["cannot write /var/lib/veilgrid/occupancy/x.csv", "cannot write x.csv"],
  ] as const;
  for (const [at, [message, told]] of messages.entries()) {
    const { id } = jobs.start("buses", {}, { kind: "survey", source, recipe: {} });
    await settle();
    const following = followed(jobs, id);
    running[at]!.fail(new VeilgridError("INPUT_MALFORMED", message));
    expect(JSON.stringify(await following)).not.toMatch(/srv|var/);
    expect(store.job(id)?.error).toEqual({ code: "INPUT_MALFORMED", message: told });
  }
  const refusing = runner({
    resolve: async (place) => {
      throw new VeilgridError("INPUT_NOT_FOUND", `'${place}' does not exist`);
    },
  });
  const { id } = refusing.start("buses", {}, { kind: "plan", source, options: { bounds: "0,1" } });
  await settle();
  expect(store.job(id)?.error?.message).toBe("'trips.csv' does not exist");
});
