/** A folder with everything a release takes: records of people on buses, a plan, a ledger; and ways to look at what came of it. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect } from "vitest";
import { type Run, veilgrid, veilgridDone } from "./cli.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Digits that no public number of these tests has; some values carry them, and no message may. */
export const SECRET = "4711";

export interface BusRecord {
  readonly who: string;
  readonly line: string;
  readonly lat: string;
  readonly lon: string;
  readonly at: string;
  readonly speed: string;
}

const PLACES = [
  { line: "A", lat: "21.17", lon: "72.83" },
  { line: "B", lat: "21.17", lon: "72.83" },
  { line: "A", lat: "21.25", lon: "72.95" },
] as const;

/** Nine people, most of them in several of three grids, with 1 to 12 records each. */
export function busRecords(): BusRecord[] {
  const records: BusRecord[] = [];
  for (let person = 0; person < 9; person++) {
    PLACES.forEach((place, index) => {
      const count = (person * 5 + index * 3) % 13;
      for (let record = 0; record < count; record++) {
        const minute = String(person * 6 + index).padStart(2, "0");
        const at = `2026-03-10T${String(7 + record).padStart(2, "0")}:${minute}:00Z`;
        const speed = `${(person * 7 + record * 11 + index) % 60}.${SECRET}`;
        records.push({ who: `p${person}`, ...place, at, speed });
      }
    });
  }
  return records;
}

export function recordsCsv(records: readonly BusRecord[]): string {
  const lines = records.map(({ who, line, lat, lon, at, speed }) => [who, line, lat, lon, at, speed].join(","));
  return `who,line,lat,lon,at,speed\n${lines.join("\n")}\n`;
}

export const BY_LINE = ["--user", "who", "--value", "speed", "--by", "line"];
const BY_PLACE = [...BY_LINE, "--lat", "lat", "--lon", "lon", "--h3", "7", "--time", "at", "--slot", "1d"];
export const RELEASE = ["release", "records.csv", "--plan", "plan.json", "--ledger", "ledger.db", "--dataset", "buses"];

export interface FolderOptions {
  /** Flags of the plan that say what a grid is. */
  readonly grids?: readonly string[];
  readonly epsilon?: string;
  /** How it is planned, in place of clip-user at that ε. */
  readonly strategy?: readonly string[];
  readonly statistics?: string;
  readonly budget?: string;
}

/** `records.csv`, `plan.json`, and `ledger.db` with the dataset `buses`. */
export async function releaseFolder(options: FolderOptions = {}): Promise<string> {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, "records.csv"), recordsCsv(busRecords()));
  await makePlanFile(folder, options);
  const init = ["ledger", "init", "--ledger", "ledger.db", "--dataset", "buses", "--occupancy-is-public"];
  await veilgridDone([...init, "--budget", options.budget ?? "5"], { in: folder });
  return folder;
}

export async function makePlanFile(folder: string, options: FolderOptions, out = "plan.json"): Promise<void> {
  const { grids = BY_PLACE, epsilon = "0.5", statistics = "mean,variance" } = options;
  const { strategy = ["--epsilon", epsilon, "--strategy", "clip-user"] } = options;
  const flags = ["--bounds", "0,50", "--statistics", statistics, ...strategy];
  await veilgridDone(["plan", "records.csv", ...grids, ...flags, "--out", out], { in: folder });
}

/** Notes, and the progress that a slow machine gets to see: `reading totals: 0 (5 s)`. */
const BESIDE_THE_POINT = /^note: |: [\d,]+( of [\d,]+)? \(\d+ s\)$/;

/** A run that must be refused: one line on standard error, nothing on standard output, no protected value. */
export async function refusal(args: readonly string[], folder: string): Promise<{ status: number; line: string }> {
  const run = await veilgrid(args, { in: folder });
  const lines = run.stderr.split("\n").filter((line) => line !== "" && !BESIDE_THE_POINT.test(line));
  expect(run.stdout).toBe("");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^veilgrid: /);
  expect(run.stderr).not.toContain(SECRET);
  return { status: run.status, line: lines[0]! };
}

/** A run that must succeed; what it says on standard error has no protected value. */
export async function done(args: readonly string[], folder: string): Promise<Run> {
  const run = await veilgridDone(args, { in: folder });
  expect(run.stderr).not.toContain(SECRET);
  return run;
}

export interface StandingFacts {
  readonly dataset: string;
  readonly budget: number;
  readonly loss: number;
  readonly left: number;
  readonly releases: ReadonlyArray<{
    readonly key: string;
    readonly planHash: string;
    readonly state: string;
    readonly pending: readonly string[];
    readonly loss: number;
    readonly exactLoss: string;
  }>;
  readonly trail: ReadonlyArray<{ readonly kind: string; readonly what: string }>;
  readonly exact: { readonly loss: string };
}

/** Where the dataset `buses` stands. */
export async function standingOf(folder: string): Promise<StandingFacts> {
  const { stdout } = await done(["ledger", "show", "--ledger", "ledger.db", "--dataset", "buses", "--json"], folder);
  return JSON.parse(stdout)[0];
}

export async function expectNothingCharged(folder: string): Promise<void> {
  expect(await standingOf(folder)).toMatchObject({ loss: 0, releases: [], exact: { loss: "0" } });
}

/** Every file of a folder, by name. */
export function filesOf(folder: string): Map<string, Buffer> {
  return new Map(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(path.join(folder, name))]),
  );
}

/** Rows as DuckDB reads them: a reader that knows nothing of how the file was made. */
export async function duckDbRows(query: string): Promise<Array<Record<string, unknown>>> {
  const instance = await DuckDBInstance.create(":memory:");
  try {
    const connection = await instance.connect();
    const reader = await connection.runAndReadAll(query);
    return reader.getRowObjectsJS();
  } finally {
    instance.closeSync();
  }
}

/** The plan that `releaseFolder` made. */
export const planOf = (folder: string) => JSON.parse(readFileSync(path.join(folder, "plan.json"), "utf8"));
