/** Tests that only releases begun in this tab are called our own. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isOwnRelease, rememberRelease } from "./own-releases.ts";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

test("nothing is our own before a click", () => {
  expect(isOwnRelease("city", "job-1")).toBe(false);
});

test("the release begun last is, no other job's and no other dataset's", () => {
  rememberRelease("city", "job-1");
  expect(isOwnRelease("city", "job-1")).toBe(true);
  expect(isOwnRelease("city", "job-2")).toBe(false);
  expect(isOwnRelease("trips", "job-1")).toBe(false);
  rememberRelease("city", "job-2");
  expect(isOwnRelease("city", "job-1")).toBe(false);
  expect(isOwnRelease("city", "job-2")).toBe(true);
});
