/** Long work: its result at once or in slices, with what it tells on the way, until it is cancelled. */
import { afterEach, expect, test, vi } from "vitest";
import { checkpoint, type LongWork, type Progress, runCooperatively, runNow, throwIfCancelled } from "./long-work.ts";

function* counting(to: number): LongWork<string> {
  for (let done = 0; done < to; done++) yield { step: "counting", done, of: to };
  return `counted to ${to}`;
}

afterEach(() => void vi.unstubAllGlobals());

test("at once: the result", () => {
  expect(runNow(counting(3))).toBe("counted to 3");
  expect(runNow(counting(0))).toBe("counted to 0");
});

test("in slices: the same result, every progress in order, and others get a turn in between", async () => {
  const told: Array<Progress | string> = [];
  setImmediate(() => told.push("another's turn"));
  expect(await runCooperatively(counting(2), { onProgress: (progress) => told.push(progress) })).toBe("counted to 2");
  expect(told).toEqual([{ step: "counting", done: 0, of: 2 }, "another's turn", { step: "counting", done: 1, of: 2 }]);
  expect(await runCooperatively(counting(2))).toBe("counted to 2");
});

test("an aborted signal stops it before the next slice, or before the first", async () => {
  const abort = new AbortController();
  const told: number[] = [];
  const onProgress = ({ done }: Progress): void => {
    told.push(done);
    if (done === 1) abort.abort();
  };
  const cancelled = { code: "CANCELLED" };
  await expect(runCooperatively(counting(9), { signal: abort.signal, onProgress })).rejects.toMatchObject(cancelled);
  expect(told).toEqual([0, 1]);
  await expect(runCooperatively(counting(9), { signal: abort.signal, onProgress })).rejects.toMatchObject(cancelled);
  expect(told).toEqual([0, 1]);
});

test("looking at a signal: only an aborted one throws", () => {
  expect(() => throwIfCancelled(undefined)).not.toThrow();
  expect(() => throwIfCancelled(new AbortController().signal)).not.toThrow();
  expect(() => throwIfCancelled(AbortSignal.abort())).toThrow(expect.objectContaining({ code: "CANCELLED" }));
});

test("a checkpoint lets a pending abort through before it looks", async () => {
  await expect(checkpoint(undefined)).resolves.toBeUndefined();
  const abort = new AbortController();
  setImmediate(() => abort.abort());
  await expect(checkpoint(abort.signal)).rejects.toMatchObject({ code: "CANCELLED" });
});

test("where there is setImmediate, no timer is waited for: it would take a millisecond or more", async () => {
  const timer = vi.fn(globalThis.setTimeout);
  vi.stubGlobal("setTimeout", timer);
  expect(await runCooperatively(counting(2))).toBe("counted to 2");
  expect(timer).not.toHaveBeenCalled();
});

test("where there is no setImmediate, as in browsers, a timer does", async () => {
  vi.stubGlobal("setImmediate", undefined);
  const timer = vi.fn(globalThis.setTimeout);
  vi.stubGlobal("setTimeout", timer);
  expect(await runCooperatively(counting(2))).toBe("counted to 2");
  expect(timer).toHaveBeenCalledTimes(2);
});
