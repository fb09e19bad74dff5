/**
 * Holds plans to a table of what was found before, a line for each case. The table does not say what is right; it shows that something changed.
 * After a change on purpose, `RENEW_PLANS=1 npx vitest run same-` writes it again; say so in the CHANGELOG.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { type Occupancy, OccupancyBuilder } from "../../src/core/occupancy/index.ts";
import { SeededRandom } from "./random.ts";

/** Holds each case to its line of `test/fixtures/NAME.tsv`, and the table to having a line for each of so many cases and no others. */
export function sameAsBefore(table: string, cases: number): (name: string, ...facts: readonly unknown[]) => void {
  const file = new URL(`../fixtures/${table}.tsv`, import.meta.url);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const known = new Map(lines.map((line) => [line.split("\t")[0]!, line]));
  const isRenewed = process.env.RENEW_PLANS === "1";
  const renewed: string[] = [];
  afterAll(() => {
    // Some of the cases only were run: the others stay as they are.
    if (isRenewed && renewed.length === cases) writeFileSync(file, `${renewed.join("\n")}\n`);
  });
  test.skipIf(isRenewed)("the table has a line for each case", () => {
    expect([lines.length, known.size]).toEqual([cases, cases]);
  });
  return (name, ...facts) => {
    const line = [name, ...facts].join("\t");
    if (isRenewed) renewed.push(line);
    else expect(line).toBe(known.get(name));
  };
}

/** Every user in one grid of its own and in `share` of the others: [1, 2] is about half. */
export function seededArray(
  shape: {
    readonly users: number;
    readonly grids: number;
    readonly most: number;
    readonly share: readonly [of: number, all: number];
    /** Every so many users have so many times as many records. */
    readonly heavyEvery: number;
    readonly heavyTimes: number;
  },
  seed: number,
): Occupancy {
  const { users, grids, most, share, heavyEvery, heavyTimes } = shape;
  const random = new SeededRandom(seed);
  const builder = new OccupancyBuilder();
  for (let user = 0; user < users; user++)
    for (let grid = 0; grid < grids; grid++)
      if (grid === user % grids || random.below(share[1]) >= share[1] - share[0])
        builder.add(`u${user}`, `g${grid}`, (1 + random.below(most)) * (user % heavyEvery === 0 ? heavyTimes : 1));
  return builder.build().occupancy;
}
