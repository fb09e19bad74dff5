/** What a plan leaves out leaves no trace: changing such values changes no published byte, changing a kept one does. */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { ledgerInit, plan, releaseRecords } from "../../src/apps/operations/index.ts";
import { readResult } from "../../src/publish/release/index.ts";
import { filesOf } from "../support/release-folder.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

interface Row {
  readonly who: string;
  readonly where: string;
  readonly minute: number;
  readonly value: number;
}

/** One person is everywhere; grid `a` has one with most of its records, the others have many people with few. */
function rowsOf(): Row[] {
  const rows: Row[] = [];
  const add = (who: string, where: string, count: number): void => {
    for (let record = 0; record < count; record++)
      rows.push({ who, where, minute: rows.length, value: (rows.length * 7) % 50 });
  };
  for (const where of ["a", "b", "c", "d", "e"]) add("everywhere", where, 2);
  add("heavy", "a", 40);
  for (let person = 0; person < 6; person++) add(`a${person}`, "a", 10);
  for (const where of ["b", "c", "d", "e"])
    for (let person = 0; person < 12; person++) add(`${where}${person}`, where, 2 + (person % 3));
  return rows;
}

const records = { user: "who", value: "value", by: "where", time: "at" };
const CAPPED = { upper: "50", epsilon: "1", strategy: "clip-user", caps: true, keep: "first", records };

function write(folder: string, rows: readonly Row[]): string {
  const file = path.join(folder, "records.csv");
  const lines = rows.map(({ who, where, minute, value }) => {
    const at = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
    return `${who},${where},${at},${value}`;
  });
  writeFileSync(file, `who,where,at,value\n${lines.join("\n")}\n`);
  return file;
}

/** A release of these rows with replayed noise, from a new ledger: every file by its hash, and the canonical text. */
async function released(rows: readonly Row[]): Promise<{ files: Record<string, string>; text: string }> {
  const folder = temporaryFolder();
  const file = write(folder, rows);
  const [planFile, ledger, out] = ["plan.json", "ledger.db", "out/"].map((name) => path.join(folder, name));
  await plan(file, CAPPED, { out: planFile! });
  await ledgerInit({ ledger, dataset: "people", budget: "100", occupancyIsPublic: true });
  const options = { plan: planFile, ledger, dataset: "people", replaySeed: "7", out, records: {} };
  const { text } = await releaseRecords(file, options);
  const files = [...filesOf(out!)].map(([name, bytes]) => [name, createHash("sha256").update(bytes).digest("hex")]);
  return { files: Object.fromEntries(files), text };
}

// A release writes down when it was reserved.
vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-05-01T00:00:00Z") });
afterAll(() => void vi.useRealTimers());

describe("a release with replayed noise", async () => {
  const rows = rowsOf();
  const made = await plan(write(temporaryFolder(), rows), CAPPED);
  const { suppressed, perGrid } = made.summary;
  const isSuppressed = ({ who, where }: Row): boolean =>
    suppressed.some(([user, grid]) => user === who && grid === where);
  const capOf = new Map(perGrid.map(({ grid, cap }) => [grid, cap]));
  /** Later than so many of its user's records in the grid as the cap allows. */
  const isBeyondCap = (row: Row): boolean => {
    const earlier = rows.filter(
      ({ who, where, minute }) => who === row.who && where === row.where && minute < row.minute,
    );
    return earlier.length >= (capOf.get(row.where) ?? Number.POSITIVE_INFINITY);
  };
  const changed = (which: (row: Row) => boolean, value: (row: Row) => number): Row[] =>
    rows.map((row) => (which(row) ? { ...row, value: value(row) } : row));
  const elsewhere = ({ value }: Row): number => (value + 23) % 50;
  const original = await released(rows);

  test("starts from a plan that leaves people and records out", () => {
    expect(rows.filter(isSuppressed).length).toBeGreaterThan(1);
    expect(rows.filter((row) => isBeyondCap(row) && !isSuppressed(row)).length).toBeGreaterThan(1);
    expect(new Set(rows.filter(isSuppressed).map(({ who }) => who))).toContain("everywhere");
  });

  test("is the same, byte for byte, from the same values", async () => {
    expect(await released(rows)).toEqual(original);
  });

  test.each([
    ["other values", elsewhere],
    ["the largest value", () => 50],
    ["values outside the bounds", () => -1e9],
  ])("is the same, byte for byte, with %s of suppressed users", async (_, value) => {
    expect(await released(changed(isSuppressed, value))).toEqual(original);
  });

  test("is the same, byte for byte, with other values beyond the caps", async () => {
    expect(await released(changed(isBeyondCap, elsewhere))).toEqual(original);
  });

  test("changes with one kept value, in that grid only", async () => {
    const kept = rows.find((row) => row.where === "c" && !isSuppressed(row) && !isBeyondCap(row))!;
    const other = await released(changed((row) => row === kept, elsewhere));
    for (const name of ["result.json", "statistics.csv", "statistics.json", "statistics.parquet", "report.html"])
      expect(other.files[name], name).not.toBe(original.files[name]);
    const [before, after] = [readResult(original.text).rows, readResult(other.text).rows];
    const differ = before.filter((row, index) => JSON.stringify(row, asText) !== JSON.stringify(after[index], asText));
    expect(differ.map(({ grid }) => grid)).toEqual(["c"]);
  });
});

function asText(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
