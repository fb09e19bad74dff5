/** Rows to put into a service's store, folders to put it in, and how it refuses. */
import { join } from "node:path";
import { expect } from "vitest";
import type { JobRow, PlanRow, ServedDataset, TokenRow } from "../../src/apps/service/rows.ts";
import { type ErrorCode, VeilgridError } from "../../src/core/errors/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** The name of a folder that is not there yet. */
export const newFolder = (): string => join(temporaryFolder(), "state");

export const NOW = "2026-01-05T08:00:00.000Z";
export const LATER = "2026-01-05T09:00:00.000Z";
export const token: TokenRow = {
  id: "aaaaaaaaaaaa",
  name: "Ann",
  role: "analyst",
  datasets: ["city", "süd, 東"],
  secretHash: "0f".repeat(32),
  created: NOW,
  expires: LATER,
  revoked: null,
  oneTime: false,
};
export const dataset: ServedDataset = {
  name: "city",
  source: "/data/city-*.csv",
  recipe: { user: "bus", value: "speed", decimalComma: true },
  bounds: "0,65",
  statistics: null,
  unit: "mph",
  plan: null,
  key: null,
  onlyReleased: true,
  created: NOW,
};
export const job: JobRow = {
  id: "job-1",
  kind: "plan",
  dataset: "city",
  wishes: { epsilon: "1", caps: true },
  state: "queued",
  created: NOW,
  started: null,
  ended: null,
  result: null,
  error: null,
};
export const plan: PlanRow = {
  hash: "ab".repeat(32),
  dataset: "city",
  created: NOW,
  summary: { loss: 0.5, perGrid: [] },
};

export function thrownBy(work: () => unknown): VeilgridError {
  try {
    work();
  } catch (error) {
    if (error instanceof VeilgridError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

export function expectRefusal(work: () => unknown, code: ErrorCode, message: RegExp): void {
  const error = thrownBy(work);
  expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)]);
  expect(error.message).not.toMatch(/\n/);
}
