/** Tests that a job is followed to its end whatever becomes of its events. */
import { afterAll, expect, test, vi } from "vitest";
import { followJob, type Job } from "./jobs.ts";
import type { Service } from "./session.ts";

const JOB: Job = {
  ...{ id: "j1", kind: "release", dataset: "city", state: "queued", created: "2026-01-01T00:00:00Z" },
  ...{ started: null, ended: null, result: null, error: null },
};
const DONE: Job = { ...JOB, state: "done", ended: "2026-01-01T00:00:02Z", result: { ok: true } };

function sessionWith(...answers: Array<Job | Error>): { service: Service; token: string; asked: () => number } {
  let asked = 0;
  const getJob = async (): Promise<Job> => {
    const answer = answers[Math.min(asked, answers.length - 1)]!;
    asked += 1;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { service: { getJob } as unknown as Service, token: "vg_x", asked: () => asked };
}

function streamOf(...chunks: string[]): void {
  const body = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
  vi.stubGlobal("fetch", async () => new Response(body));
}

vi.stubGlobal("location", { origin: "http://127.0.0.1:1" });
afterAll(() => void vi.unstubAllGlobals());

test("events cut anywhere are put together, and the finished job is returned", async () => {
  const text =
    'id: 1\nevent: state\ndata: {"state":"running"}\n\nid: 2\nevent: progress\ndata: {"step":"reading","done":1,"of":4}\n\n';
  for (let cut = 1; cut < text.length; cut += 7) {
    streamOf(text.slice(0, cut), text.slice(cut));
    const steps: unknown[] = [];
    const states: string[] = [];
    const job = await followJob(sessionWith(DONE), JOB, {
      onProgress: (progress) => steps.push(progress),
      onState: (state) => states.push(state),
    });
    expect(job).toEqual(DONE);
    expect(steps).toEqual([{ step: "reading", done: 1, of: 4 }]);
    expect(states).toEqual(["running", "done"]);
  }
});

test("without events the job is asked for until it ends, through a lost connection", async () => {
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("Failed to fetch");
  });
  const lost = new TypeError("Failed to fetch");
  const session = sessionWith({ ...JOB, state: "running" }, lost, lost, DONE);
  expect(await followJob(session, JOB, { pauseMs: 1 })).toEqual(DONE);
  expect(session.asked()).toBe(4);
  await expect(followJob(sessionWith(lost), JOB, { pauseMs: 1 })).rejects.toBe(lost);
});

test("a job that did not finish is a failure with its code and words", async () => {
  streamOf("");
  const error = { code: "BUDGET_EXCEEDED", message: "release needs 2, dataset 'city' has 1 left" };
  const failed = { ...DONE, state: "failed" as const, result: null, error };
  await expect(followJob(sessionWith(failed), JOB)).rejects.toMatchObject(error);
  for (const [state, code] of [
    ["cancelled", "CANCELLED"],
    ["interrupted", "INTERRUPTED"],
  ] as const) {
    streamOf("");
    await expect(followJob(sessionWith({ ...DONE, state }), JOB)).rejects.toMatchObject({ code });
  }
});

test("who stops following is told so, and nothing more is asked", async () => {
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("Failed to fetch");
  });
  const stop = new AbortController();
  const session = sessionWith({ ...JOB, state: "running" });
  const following = followJob(session, JOB, { signal: stop.signal, pauseMs: 60_000 });
  setTimeout(() => stop.abort(), 5);
  await expect(following).rejects.toMatchObject({ name: "AbortError" });
  expect(session.asked()).toBe(1);
});
