/** A release's files, on disk and printed: every format has the same values, and other readers agree on them. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  busRecords,
  done,
  duckDbRows,
  filesOf,
  planOf,
  RELEASE,
  releaseFolder,
  standingOf,
} from "../support/release-folder.ts";

describe("formats", async () => {
  const folder = await releaseFolder({
    statistics: "mean,variance,share:20,sum,histogram:10/30",
    epsilon: "3",
    budget: "20",
  });
  const told = JSON.parse((await done([...RELEASE, "--out", "results/", "--json"], folder)).stdout);
  const at = (name: string): string => path.join(folder, "results", name);
  const read = (name: string): string => readFileSync(at(name), "utf8");
  const parquet = await duckDbRows(`SELECT * FROM '${at("statistics.parquet")}' ORDER BY grid`);

  test("--json tells what was done", () => {
    const { hash, loss } = planOf(folder);
    expect(told).toMatchObject({
      dataset: "buses",
      key: hash,
      planHash: hash,
      notPrivate: false,
      grids: 3,
      exactLoss: loss,
    });
    expect(told.loss).toBeCloseTo(Number(loss), 12);
    expect(told.files.map(({ what }: { what: string }) => what)).toEqual([
      "csv",
      "json",
      "parquet",
      "geojson",
      "html",
      "statement",
      "statement as JSON",
      "dictionary",
      "result",
    ]);
  });

  test("Parquet has a row per grid, numbers as numbers, and parts of grids as columns of their own", () => {
    expect(parquet).toHaveLength(3);
    for (const row of parquet) {
      expect(row["grid"]).toBe(`${row["line"]}/${row["cell"]}/${row["slot"]}`);
      expect(typeof row["mean"]).toBe("number");
      expect(row["sd"]).toBeCloseTo(Math.sqrt(row["variance"] as number), 9);
      expect(row["mean_low"]).toBeLessThanOrEqual(row["mean"] as number);
    }
  });

  test("CSV has the same values, double for double", async () => {
    const rows = await duckDbRows(
      `SELECT * FROM read_csv('${at("statistics.csv")}', all_varchar = true) ORDER BY grid`,
    );
    expect(Object.keys(rows[0]!)).toEqual(Object.keys(parquet[0]!));
    rows.forEach((row, index) => {
      for (const [name, value] of Object.entries(parquet[index]!))
        expect(typeof value === "string" ? row[name] : Number(row[name]), name).toBe(
          typeof value === "string" ? value : Number(value),
        );
    });
  });

  test("JSON has the same values", () => {
    const { rows } = JSON.parse(read("statistics.json")) as {
      rows: Array<{ grid: string; kept: number; statistics: Record<string, Record<string, number>> }>;
    };
    const byGrid = new Map(rows.map((row) => [row.grid, row]));
    for (const row of parquet) {
      const { kept, statistics } = byGrid.get(row["grid"] as string)!;
      expect(kept).toBe(Number(row["kept"]));
      for (const key of ["mean", "variance", "share:20", "sum"]) {
        const { value, raw, low, high, scale, bias, error } = statistics[key]!;
        expect([value, raw, low, high, scale, bias, error]).toEqual(
          ["", "_raw", "_low", "_high", "_scale", "_bias", "_error"].map((suffix) => row[key + suffix]),
        );
      }
      const bins = statistics["histogram:10/30"]!["bins"] as unknown as Array<{ bin: string; value: number }>;
      expect(bins).toHaveLength(3);
      for (const { bin, value } of bins) expect(value).toBe(row[`histogram:10/30${bin}`]);
    }
  });

  test("GeoJSON has the same values, on hexagons around the records", () => {
    const { type, features } = JSON.parse(read("statistics.geojson")) as {
      type: string;
      features: Array<{
        id: string;
        geometry: { type: string; coordinates: number[][][] };
        properties: Record<string, unknown>;
      }>;
    };
    expect([type, features.length]).toEqual(["FeatureCollection", 3]);
    const byGrid = new Map(features.map((feature) => [feature.id, feature]));
    for (const row of parquet) {
      const { geometry, properties } = byGrid.get(row["grid"] as string)!;
      for (const [name, value] of Object.entries(row))
        expect(properties[name], name).toBe(typeof value === "bigint" ? Number(value) : value);
      const ring = geometry.coordinates[0]!;
      expect([geometry.type, ring.length, ring.at(-1)]).toEqual(["Polygon", 7, ring[0]]);
      for (const [lon, lat] of ring) {
        expect(Math.abs(lon! - 72.9)).toBeLessThan(0.2);
        expect(Math.abs(lat! - 21.2)).toBeLessThan(0.2);
      }
    }
  });

  test("counts are those of the records, and no file holds a value of one", () => {
    for (const row of parquet) {
      const here = busRecords().filter(({ line, lat }) => line === row["line"] && (lat === "21.17") === isSouth(row));
      expect(Number(row["samples"])).toBe(here.length);
      expect(Number(row["users"])).toBe(new Set(here.map(({ who }) => who)).size);
    }
    for (const [name, bytes] of filesOf(path.join(folder, "results")))
      for (const { speed } of busRecords()) expect(bytes.includes(`${speed}`), name).toBe(false);
  });

  /** Line A runs in both hexagons, line B in the southern one only. */
  function isSouth(row: Record<string, unknown>): boolean {
    return row["cell"] === parquet.find(({ line }) => line === "B")!["cell"];
  }

  test("one file by its ending is the same as that of the folder, and has its statement beside it", async () => {
    await done([...RELEASE, "--out", "one.csv"], folder);
    expect(readFileSync(path.join(folder, "one.csv"), "utf8")).toBe(read("statistics.csv"));
    expect(existsSync(path.join(folder, "one.csv.privacy-statement.md"))).toBe(true);
    const { stdout } = await done([...RELEASE, "--format", "json"], folder);
    expect(stdout).toBe(read("statistics.json"));
  });

  test("another confidence changes the intervals and costs nothing", async () => {
    const { stdout } = await done([...RELEASE, "--format", "json", "--confidence", "0.5"], folder);
    const narrow = JSON.parse(stdout).rows as Array<{
      grid: string;
      statistics: Record<string, Record<string, number>>;
    }>;
    for (const { grid, statistics } of narrow) {
      const row = parquet.find((each) => each["grid"] === grid)!;
      const { value, low, high } = statistics["share:20"]!;
      expect(value).toBe(row["share:20"]);
      expect(high! - low!).toBeLessThanOrEqual((row["share:20_high"] as number) - (row["share:20_low"] as number));
    }
    expect((await standingOf(folder)).exact.loss).toBe(planOf(folder).loss);
  });
});
