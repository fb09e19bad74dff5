/** A centred plan, released from a file with replayed noise, against a plain computation; and what its files say about it. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ledgerInit, releaseRecords } from "../../src/apps/operations/index.ts";
import { Rational } from "../../src/core/arithmetic/index.ts";
import { makeObjective, parseBounds } from "../../src/core/influence/index.ts";
import { discreteLaplace, RandomBits } from "../../src/core/noise/index.ts";
import { occupancyFromTriples } from "../../src/core/occupancy/index.ts";
import { type Plan, planText } from "../../src/core/planning/index.ts";
import { parseRecipe, recipeJson } from "../../src/data/partition/index.ts";
import type { ReleasedStatistic, ReleaseResult } from "../../src/publish/release/index.ts";
import { releasedRows } from "../../src/publish/report/released-rows.ts";
import { replayedBytes } from "../support/replayed-bytes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { trimmedPlan } from "../support/trimmed-plan.ts";

const SEED = 20;
const LOWER = -10;
const UPPER = 40;
const WIDTH = UPPER - LOWER;
const MIDDLE = (LOWER + UPPER) / 2;
const KEYS = ["mean", "variance", "share:12", "sum", "histogram:0/20"];

interface Row {
  readonly who: string;
  readonly where: string;
  readonly minute: number;
  readonly value: number;
}

/** How many records a user has in a grid, and how many are kept. */
const ENTRIES: ReadonlyArray<readonly [who: string, where: string, records: number, kept: number]> = [
  ["ann", "east", 9, 3],
  ["bob", "east", 4, 4],
  ["cyd", "east", 5, 0],
  ["dan", "east", 2, 1],
  ["ann", "north", 6, 2],
  ["bob", "north", 1, 1],
  ["cyd", "north", 3, 3],
  // Nothing of `south` is kept, and an odd number cannot be split in halves.
  ["ann", "south", 4, 0],
  ["dan", "south", 3, 0],
  // One kept record has no variance of its own.
  ["eve", "west", 3, 1],
];

/** Whole values, some outside the bounds; low ones for ann, so that her sum is held back. */
function rowsOf(changed: (row: Row) => number = ({ value }) => value): Row[] {
  return ENTRIES.flatMap(([who, where, records], entry) =>
    Array.from({ length: records }, (_, record): Row => {
      const value = who === "ann" ? -12 + record : -15 + ((entry * 17 + record * 23) % 60);
      return { who, where, minute: 60 * entry + record, value };
    }),
  ).map((row) => ({ ...row, value: changed(row) }));
}

async function released(
  rows: readonly Row[],
): Promise<{ folder: string; plan: Plan; result: ReleaseResult; text: string }> {
  const folder = temporaryFolder();
  const at = (name: string): string => path.join(folder, name);
  const lines = rows.map(
    ({ who, where, minute, value }) => `${who},${where},${new Date(minute * 60_000).toISOString()},${value}`,
  );
  writeFileSync(at("records.csv"), `who,where,at,value\n${[...lines].reverse().join("\n")}\n`);
  const occupancy = occupancyFromTriples(ENTRIES.map(([who, where, records]) => [who, where, records] as const));
  const { plan } = trimmedPlan(occupancy, {
    objective: makeObjective(parseBounds(`${LOWER},${UPPER}`), { statistics: KEYS.join(","), estimator: "centred" }),
    epsilon: Rational.of(2),
    step: Rational.ONE,
    keep: "first",
    partition: recipeJson(parseRecipe({ user: "who", value: "value", by: "where", time: "at" })),
    kept: (who, where) => ENTRIES.find((entry) => entry[0] === who && entry[1] === where)![3],
  });
  writeFileSync(at("plan.json"), planText(plan));
  await ledgerInit({ ledger: at("ledger.db"), dataset: "people", budget: "100", occupancyIsPublic: true });
  const { result, text } = await releaseRecords(at("records.csv"), {
    plan: at("plan.json"),
    ledger: at("ledger.db"),
    dataset: "people",
    replaySeed: String(SEED),
    out: at("out/"),
    records: {},
  });
  return { folder, plan, result, text };
}

/** A grid as the specification has it: per statistic its numbers before noise, its Δ and its bias; per user what is kept. */
function plainGrid(rows: readonly Row[], where: string) {
  const entries = ENTRIES.filter((entry) => entry[1] === where);
  const clampedOf = ({ value }: Row): number => Math.min(UPPER, Math.max(LOWER, value));
  const valuesOf = (who: string): number[] =>
    rows
      .filter((row) => row.who === who && row.where === where)
      .sort((left, right) => left.minute - right.minute)
      .map(clampedOf);
  const kept = entries.flatMap(([who, , , keeping]) => valuesOf(who).slice(0, keeping));
  const all = entries.flatMap(([who]) => valuesOf(who));
  const [n, k] = [all.length, kept.length];
  const j = n - k;
  // Doubled, so that it is whole.
  const clampedSum = entries.reduce((total, [who, , records, keeping]) => {
    const sum = 2 * valuesOf(who).reduce((one, other) => one + other, 0);
    return (
      total + Math.min(2 * records * MIDDLE + keeping * WIDTH, Math.max(2 * records * MIDDLE - keeping * WIDTH, sum))
    );
  }, 0);
  const spreadOf = (owned: number, total: number): Rational => {
    const movable = Math.min(owned, Math.floor(total / 2));
    return total === 0 ? Rational.ZERO : Rational.of(WIDTH ** 2 * movable * (total - movable), total ** 2);
  };
  const offset = spreadOf(j, n).divide(Rational.of(2));
  const [sum, squares] = [kept.reduce((x, y) => x + y, 0), kept.reduce((x, y) => x + y * y, 0)];
  const variance = k === 0 ? Rational.ZERO : Rational.of(k * squares - sum * sum, k * n);
  const largest = Math.max(...entries.map((entry) => entry[3]));
  const inBins = [kept.filter((x) => x < 0), kept.filter((x) => x >= 0 && x < 20), kept.filter((x) => x >= 20)];
  return {
    all,
    statistics: [
      {
        exact: [Rational.of(clampedSum, 2 * n)],
        delta: Rational.of(WIDTH * largest, n),
        bias: Rational.of(WIDTH * j, 2 * n),
      },
      {
        exact: [variance.add(offset)],
        delta: spreadOf(largest, k).multiply(Rational.of(k, n)),
        bias: offset,
      },
      {
        exact: [Rational.of(2 * kept.filter((x) => x > 12).length + j, 2 * n)],
        delta: Rational.of(largest, n),
        bias: Rational.of(j, 2 * n),
      },
      { exact: [Rational.of(clampedSum, 2)], delta: Rational.of(WIDTH * largest), bias: Rational.of(WIDTH * j, 2) },
      {
        exact: inBins.map((bin) => Rational.of(3 * bin.length + j, 3 * n)),
        delta: Rational.of(2 * largest, n),
        bias: Rational.of(4 * j, 3 * n),
      },
    ],
  };
}

/** The largest power of two not above min(Δ, Δ/ε)·2⁻⁴⁰, by halving. */
function stepOf(delta: Rational, epsilon: Rational): number {
  const perEpsilon = delta.divide(epsilon);
  const limit = perEpsilon.compare(delta) < 0 ? perEpsilon : delta;
  let exponent = 0;
  while (Rational.powerOfTwo(exponent).compare(limit) > 0) exponent -= 1;
  while (Rational.powerOfTwo(exponent + 1).compare(limit) <= 0) exponent += 1;
  return exponent - 40;
}

const numbersOf = ({ steps, stepExponent }: ReleasedStatistic): Rational[] =>
  steps.map((each) => Rational.of(each).multiply(Rational.powerOfTwo(stepExponent)));

describe("a centred release", () => {
  const rows = rowsOf();
  let made: Awaited<ReturnType<typeof released>>;
  beforeAll(async () => {
    made = await released(rows);
  });
  const grid = (name: string) => made.result.rows.find((row) => row.grid === name)!;

  test("is, number by number, the plain computation plus the replayed noise", () => {
    const bits = new RandomBits(replayedBytes(SEED));
    const epsilon = Rational.of(2, 5);
    expect(made.result.rows.map((row) => [row.grid, row.samples, row.kept])).toEqual([
      ["east", 20, 8],
      ["north", 10, 6],
      ["south", 7, 0],
      ["west", 3, 1],
    ]);
    let noisy = 0;
    for (const row of made.result.rows) {
      plainGrid(rows, row.grid).statistics.forEach(({ exact, delta, bias }, index) => {
        const found = row.statistics![index]!;
        const name = `${KEYS[index]} of ${row.grid}`;
        expect(found.bias, name).toEqual(bias);
        if (delta.isZero()) {
          expect(found, name).toMatchObject({ deltaSteps: 0n, epsilon: Rational.ZERO, scale: Rational.ZERO });
          return;
        }
        noisy += 1;
        expect(found.scale, name).toEqual(delta.divide(epsilon));
        expect(found.stepExponent, name).toBe(stepOf(delta, epsilon));
        const step = Rational.powerOfTwo(found.stepExponent);
        const deltaSteps = delta.divide(step).ceilToInteger() + BigInt(exact.length - 1);
        expect(found.deltaSteps, name).toBe(deltaSteps);
        const expected = exact.map(
          (value) =>
            value.divide(step).roundHalfUpToInteger() + discreteLaplace(bits, Rational.of(deltaSteps).divide(epsilon)),
        );
        expect(found.steps, name).toEqual(expected);
      });
    }
    expect(noisy).toBe(14);
  });

  test("publishes the middle of the emptied grid, whatever its values are, without noise", () => {
    const south = grid("south");
    const [mean, variance, share, sum, histogram] = south.statistics!;
    expect([mean, share, sum].map((each) => numbersOf(each!)[0]!.toNumberNearest())).toEqual([15, 0.5, 105]);
    // Seven records: at most 2500·12/49.
    expect(numbersOf(variance!)[0]!.toNumberNearest()).toBeCloseTo((2500 * 12) / 49 / 2, 9);
    expect(numbersOf(histogram!).map((each) => each.toNumberNearest())).toEqual(
      [1 / 3, 1 / 3, 1 / 3].map((x) => expect.closeTo(x, 12)),
    );
    // Neither is a multiple of a power of two: how far off it is, is said.
    for (const [each, exact] of [
      [variance!, Rational.of(15_000, 49)],
      [histogram!, Rational.of(1, 3)],
    ] as const) {
      const off = numbersOf(each).reduce((all, one) => all.add(one.subtract(exact).absolute()), Rational.ZERO);
      expect(off.isZero()).toBe(false);
      const lattice = each === variance ? Rational.of(25).add(Rational.of(1, 4)) : Rational.ZERO;
      expect(each.latticeError).toEqual(lattice.add(off));
    }
    expect(mean!.latticeError).toEqual(Rational.of(1, 2));
  });

  test("charges nobody for the emptied grid, and a suppressed user nothing where it is suppressed", () => {
    expect(made.plan.noise[2]!).toMatchObject({ epsilon: Rational.ZERO });
    // eve is in west alone: the mean, share, sum and histogram of one kept record, but no variance.
    expect(made.plan.noise[3]!.epsilons.map(String)).toEqual(["0.4", "0", "0.4", "0.4", "0.4"]);
  });

  test("intervals hold the statistic of all records", () => {
    for (const row of releasedRows(made.result, { confidence: Rational.of(999, 1000) })) {
      const { all } = plainGrid(rows, row.grid);
      const mean = all.reduce((x, y) => x + y, 0) / all.length;
      const truth = [
        [mean],
        [all.reduce((x, y) => x + (y - mean) ** 2, 0) / all.length],
        [all.filter((x) => x > 12).length / all.length],
        [mean * all.length],
        [all.filter((x) => x < 0), all.filter((x) => x >= 0 && x < 20), all.filter((x) => x >= 20)].map(
          (bin) => bin.length / all.length,
        ),
      ];
      row.statistics!.forEach(({ key, numbers, error }, index) => {
        numbers.forEach(({ low, high }, coordinate) => {
          expect(low, `${key} of ${row.grid}`).toBeLessThanOrEqual(truth[index]![coordinate]! + 1e-9);
          expect(high, `${key} of ${row.grid}`).toBeGreaterThanOrEqual(truth[index]![coordinate]! - 1e-9);
        });
        expect(error).toBeGreaterThan(0);
      });
    }
  });

  test("its files say which estimator made them, and which grid holds nothing but the middle", () => {
    const read = (name: string): string => readFileSync(path.join(made.folder, "out", name), "utf8");
    for (const name of ["privacy-statement.md", "privacy-statement.json", "statistics.json", "report.html"]) {
      expect(read(name), name).toContain("(estimator: centred)");
      expect(read(name), name).toContain("No record was kept in 1 grid");
    }
    expect(read("dictionary.md")).toContain("Where no record was kept, statistics are the middle of what is possible");
    expect(JSON.parse(read("result.json"))).toMatchObject({ estimator: "centred" });
    expect(read("statistics.csv").split("\r\n")[3]).toMatch(/^NOT PRIVATE[^,]*,south,south,2,7,0,15,15,-10,40,0,25,/);
  });

  test("is the same, byte for byte, whatever suppressed users' values are", async () => {
    const isSuppressed = ({ who, where }: Row): boolean =>
      ENTRIES.some((entry) => entry[0] === who && entry[1] === where && entry[3] === 0);
    const other = await released(rowsOf((row) => (isSuppressed(row) ? 40 - row.value : row.value)));
    expect(other.result.rows).toEqual(made.result.rows);
  });

  test("reads what is left out of trimmed users: it moves the mean and the sum, and nothing else", async () => {
    // dan keeps one of two records in east; his sum is not held back.
    const other = await released(
      rowsOf((row) => (row.who === "dan" && row.where === "east" && row.minute % 60 === 1 ? row.value + 3 : row.value)),
    );
    const changed = made.result.rows.flatMap((row, at) =>
      row.statistics!.flatMap((each, index) =>
        String(each.steps) === String(other.result.rows[at]!.statistics![index]!.steps)
          ? []
          : [`${KEYS[index]} of ${row.grid}`],
      ),
    );
    expect(changed).toEqual(["mean of east", "sum of east"]);
  });
});
