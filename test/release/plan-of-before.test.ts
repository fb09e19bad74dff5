/** A plan file from when several statistics were added up by default: it names its metric, and is made and released as it was. */
import { copyFileSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/cli.ts";
import { BY_LINE, done, RELEASE, releaseFolder, standingOf } from "../support/release-folder.ts";

test("--metric sum writes the same bytes, and the file is released at the loss that it states", async () => {
  const before = path.join(root, "test", "fixtures", "sum.plan");
  const folder = await releaseFolder({ grids: BY_LINE });
  const how = ["--strategy", "frontier", "--loss", "4", "--metric", "sum"];
  const flags = [...BY_LINE, "--bounds", "0,50", ...how, "--out", "sum.json"];
  await done(["plan", "records.csv", ...flags], folder);
  expect(readFileSync(path.join(folder, "sum.json"), "utf8")).toBe(readFileSync(before, "utf8"));

  copyFileSync(before, path.join(folder, "plan.json"));
  await done([...RELEASE, "--out", "results/"], folder);
  const { hash, loss } = JSON.parse(readFileSync(before, "utf8"));
  expect((await standingOf(folder)).releases).toMatchObject([{ planHash: hash, exactLoss: loss, state: "committed" }]);
}, 120_000);
