/** The command on records that bring their H3 cells with them: the same grids, plans and bytes as from coordinates, and what it says where cells are mixed or too coarse. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { latLngToCell } from "h3-js";
import { describe, expect, test } from "vitest";
import { veilgrid, veilgridDone } from "./support/cli.ts";
import { busRecords } from "./support/release-folder.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const USER = ["--user", "who", "--value", "speed"];
const FROM_COORDINATES = [...USER, "--lat", "lat", "--lon", "lon", "--h3", "7"];
const RECORDS = busRecords();

/** People on buses, with their hexagons of resolution 9 in both forms, and those of lines in two sizes. */
function folderWithCells(): string {
  const folder = temporaryFolder();
  const lines = RECORDS.map(({ who, line, lat, lon, at, speed }) => {
    const cell = latLngToCell(Number(lat), Number(lon), 9);
    const mixed = line === "A" ? cell : latLngToCell(Number(lat), Number(lon), 6);
    return [who, line, lat, lon, at, speed, cell, BigInt(`0x${cell}`), mixed].join(",");
  });
  writeFileSync(path.join(folder, "r.csv"), `who,line,lat,lon,at,speed,hex,number,mixed\n${lines.join("\n")}\n`);
  return folder;
}

const surveyOf = async (flags: readonly string[], folder: string) =>
  JSON.parse((await veilgridDone(["survey", "r.csv", ...flags, "--json"], { in: folder })).stdout);

describe.concurrent("stored cells", () => {
  test("make the occupancy that coordinates make, in either form", async () => {
    const folder = folderWithCells();
    const { occupancyHash } = await surveyOf(FROM_COORDINATES, folder);
    for (const column of ["hex", "number"]) {
      const survey = await surveyOf([...USER, "--cell", column, "--h3", "7"], folder);
      expect(survey.occupancyHash).toBe(occupancyHash);
      expect(survey.records.partition).toMatchObject({ cell: column, h3: "7" });
    }
    const stored = await surveyOf([...USER, "--cell", "hex"], folder);
    expect(stored.occupancyHash).toBe((await surveyOf([...FROM_COORDINATES, "--h3", "9"], folder)).occupancyHash);
  });

  test("are guessed where there are no coordinates, with a command that works", async () => {
    const folder = folderWithCells();
    const text = readFileSync(path.join(folder, "r.csv"), "utf8").replace("lat,lon", "north,east");
    writeFileSync(path.join(folder, "r.csv"), text);
    const { stdout } = await veilgridDone(["survey", "r.csv"], { in: folder });
    const command = stdout.split("\n").find((line) => line.startsWith("  npx veilgrid survey"))!;
    expect(command).toContain("--cell hex");
    expect(command).toContain("--user who");
    expect(command).toContain("--h3 7"); // larger than those that are stored
  });

  test("of several sizes are grids as they stand, and that is said", async () => {
    const folder = folderWithCells();
    const mixed = await veilgridDone(["survey", "r.csv", ...USER, "--cell", "mixed"], { in: folder });
    expect(mixed.stderr).toMatch(/cells of resolutions 6, 9: grids may lie over one another.*--h3 6/);
    for (const flags of [
      ["--cell", "hex"],
      ["--cell", "mixed", "--h3", "6"],
    ])
      expect((await veilgridDone(["survey", "r.csv", ...USER, ...flags], { in: folder })).stderr).not.toContain(
        "cells of",
      );
  });

  test("are compared in sizes that are not finer than they are", async () => {
    const folder = folderWithCells();
    const options = ["--bounds", "0,50", "--statistics", "mean", "--loss", "1", "--strategies", "baseline", "--json"];
    const compare = (...flags: string[]) =>
      veilgrid(["compare", "r.csv", ...USER, ...flags, ...options], { in: folder });
    const { partitions } = JSON.parse((await compare("--cell", "hex", "--h3", "5,7")).stdout);
    expect(partitions.map(({ h3 }: { h3: string }) => h3)).toEqual(["5", "7"]);
    const tooFine = await compare("--cell", "mixed", "--h3", "6,8");
    expect(tooFine).toMatchObject({ status: 1, stdout: "" });
    expect(tooFine.stderr).toMatch(/column 'mixed': '[0-9a-f]{15}' is a cell of resolution 6.*use --h3 6 or coarser/);
  });

  test("are released as coordinates are: the same bytes but for the recipe's names, GeoJSON among them", async () => {
    const folder = folderWithCells();
    const release = async (name: string, flags: readonly string[]): Promise<string> => {
      const plan = [...flags, "--bounds", "0,50", "--statistics", "mean", "--epsilon", "1", "--strategy", "baseline"];
      await veilgridDone(["plan", "r.csv", ...plan, "--out", `${name}.json`], { in: folder });
      const ledger = ["--ledger", `${name}.db`, "--dataset", "buses"];
      await veilgridDone(["ledger", "init", ...ledger, "--budget", "90", "--occupancy-is-public"], { in: folder });
      const seed = ["--replay-seed", "7", "--out", `${name}/`];
      await veilgridDone(["release", "r.csv", "--plan", `${name}.json`, ...ledger, ...seed], { in: folder });
      expect(readFileSync(path.join(folder, name, "privacy-statement.md"), "utf8")).toContain("dwell time");
      return JSON.stringify(JSON.parse(readFileSync(path.join(folder, name, "statistics.geojson"), "utf8")).features);
    };
    const fromCoordinates = await release("coordinates", [...FROM_COORDINATES, "--h3", "9"]);
    expect(fromCoordinates).toContain('"Polygon"');
    expect(await release("cells", [...USER, "--cell", "hex"])).toBe(fromCoordinates);
  });
});
