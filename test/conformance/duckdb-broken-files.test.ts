/** The DuckDB engine and files with something wrong in them: told in one line that names the file and the row, and shows no value. */
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { RecipeFlags } from "../../src/data/partition/index.ts";
import { BY_SHOP, countsIn, engine, FLAGS, file, folder } from "./duckdb-bench.ts";
import { baselinePlan, recordsAt, refusalOf } from "./harness.ts";
import { writeParquetWith } from "./write-records.ts";

/** Every value of these files: none of it may be in any error. */
const SECRET = "61.2789";

describe("text in the value column, deep in a file", () => {
  const ROWS = 30_000;
  const BAD = 29_123;
  const speed = (row: number): string => (row === BAD ? `${SECRET}oops` : SECRET);
  const each = (print: (row: number) => string): string[] => Array.from({ length: ROWS }, (_, row) => print(row + 1));
  const csv = (): string => ["who,speed,shop", ...each((row) => `u${row % 7},${speed(row)},s`), ""].join("\n");
  const json = (row: number): string => `{"who": "u${row % 7}", "speed": "${speed(row)}", "shop": "s"}`;

  test.each<[kind: string, write: () => string | Promise<string>]>([
    ["CSV", () => file("deep.csv", csv())],
    ["gzip CSV", () => file("deep.csv.gz", gzipSync(csv(), { level: 1 }))],
    ["JSON lines", () => file("deep.jsonl", each(json).join("\n"))],
    ["a JSON array", () => file("deep.json", `[${each(json).join(",\n")}]`)],
    [
      "Parquet",
      () =>
        writeParquetWith(
          folder,
          `SELECT 'u' || x % 7 AS who, '${SECRET}' || CASE WHEN x = ${BAD} THEN 'oops' ELSE '' END AS speed, 's' AS shop FROM range(1, ${ROWS + 1}) AS t(x)`,
        ),
    ],
  ])("of %s", async (_, write) => {
    const source = await write();
    const { code, message } = await refusalOf(countsIn(source), [SECRET, "oops"]);
    expect(code).toBe("INPUT_MALFORMED");
    expect(message).toContain(`${path.basename(source)}': row 29,123: column 'speed'`);
  });

  test("of a file that is read in pieces at once", async () => {
    const rows = Array.from({ length: 700_000 }, (_, row) => `user-${row % 1000},${row === 654_320 ? "x" : 5},s`);
    const source = file("large.csv", `who,speed,shop\n${rows.join("\n")}\n`);
    const { message } = await refusalOf(countsIn(source));
    expect(message).toContain("large.csv': row 654,321: column 'speed'");
  });

  test("under a plan, too", async () => {
    const sound = file("sound.csv", csv().replace("oops", ""));
    const { occupancy } = await engine.readOccupancy(await recordsAt(engine, sound, BY_SHOP));
    const records = await recordsAt(engine, file("deep.csv", csv()), BY_SHOP);
    const work = engine.readTotals(records, baselinePlan(occupancy, FLAGS), { clampedSums: true });
    const { code, message } = await refusalOf(work, [SECRET, "oops"]);
    expect(code).toBe("INPUT_MALFORMED");
    expect(message).toContain("row 29,123: column 'speed'");
  });

  test.each([
    ["a row with too many columns", `u,${SECRET},s,extra`],
    ["a row with too few", `u,${SECRET}`],
    ["an open quote", `"u,${SECRET},s`],
  ])("and below it %s: still not a value in the error", async (name, broken) => {
    const lines = Array.from({ length: 400_000 }, (_, row) => (row === 2 ? `u,${SECRET}oops,s` : `u,${SECRET},s`));
    const source = file(`two-faults-${name.length}.csv`, `who,speed,shop\n${lines.join("\n")}\n${broken}\n`);
    const { code, message } = await refusalOf(countsIn(source), [SECRET]);
    expect(code).toBe("INPUT_MALFORMED");
    expect(message).toContain(path.basename(source));
  });
});

describe("files that are not whole or not what they seem", () => {
  const rows = (count: number): string[] => Array.from({ length: count }, (_, row) => `u${row % 5},${SECRET},s`);
  const csv = (count: number): string => ["who,speed,shop", ...rows(count), ""].join("\n");
  const jsonRow = (row: number): string => `{"who": "u${row % 5}", "speed": ${SECRET}, "shop": "s"}`;
  const jsonRows = (count: number): string[] => Array.from({ length: count }, (_, row) => jsonRow(row));

  /** Rejected in one line that names the file, and nothing of it. */
  async function refused(name: string, content: string | Uint8Array, recipeOptions: RecipeFlags = BY_SHOP) {
    const error = await refusalOf(countsIn(file(name, content), recipeOptions), [SECRET, "61.27"]);
    expect(error.message).toContain(name);
    return error;
  }

  test.each([40, 60_000])("gzip that ends early, of %i rows", async (count) => {
    const text = csv(count);
    for (const [name, whole] of [
      ["early.csv.gz", gzipSync(text)],
      ["early.jsonl.gz", gzipSync(jsonRows(count).join("\n"))],
    ] as const) {
      for (const length of [whole.length - 1, whole.length - 9, Math.floor(whole.length * 0.7)]) {
        const { code, message } = await refused(name, whole.subarray(0, length));
        expect(code).toBe("INPUT_UNREADABLE");
        expect(message).toContain("ends early");
      }
    }
  });

  test("gzip whose data is damaged", async () => {
    const whole = gzipSync(csv(60_000));
    whole[whole.length - 6]! ^= 0xff; // the checksum
    const { code, message } = await refused("damaged.csv.gz", whole);
    expect(code).toBe("INPUT_UNREADABLE");
    expect(message).toContain("damaged");
  });

  test.each([
    ["too many columns", `u,${SECRET},s,more`, "4 columns where the header has 3"],
    ["too few columns", `u,${SECRET}`, "2 columns where the header has 3"],
    ["one column", "u", "1 columns where the header has 3"],
  ])("a row with %s", async (name, row, told) => {
    for (const [before, after] of [
      [5, 5],
      [9000, 10],
    ]) {
      const lines = ["who,speed,shop", ...rows(before!), row, ...rows(after!), ""];
      const { code, message } = await refused(`width-${name.replaceAll(" ", "-")}.csv`, lines.join("\n"));
      expect(code).toBe("INPUT_MALFORMED");
      expect(message).toContain(`line ${before! + 2}: ${told}`);
    }
  });

  test("a quote that is not closed", async () => {
    for (const before of [3, 9000]) {
      const lines = ["who,speed,shop", ...rows(before), `"u,${SECRET},s`, ...rows(4), ""];
      const { code } = await refused("quote.csv", lines.join("\n"));
      expect(code).toBe("INPUT_MALFORMED");
    }
  });

  test("a quote in the middle of a value", async () => {
    const { code } = await refused("inner-quote.csv", `who,speed,shop\nu,"${SECRET}"7,s\n`);
    expect(code).toBe("INPUT_MALFORMED");
  });

  test.each([3, 9000])("bytes that are no UTF-8, below %i rows", async (before) => {
    const latin = Buffer.from([...["who,speed,shop", ...rows(before)], `caf\x80,${SECRET},s`, ""].join("\n"), "latin1");
    const { code, message } = await refused("latin.csv", latin);
    expect(code).toBe("INPUT_MALFORMED");
    expect(message).toContain("UTF-8");
    const json = Buffer.from(
      `${jsonRows(before).join("\n")}\n{"who": "caf\x80", "speed": ${SECRET}, "shop": "s"}\n`,
      "latin1",
    );
    expect((await refused("latin.jsonl", json)).code).toBe("INPUT_MALFORMED");
  });

  test.each([3, 9000])("JSON that ends early, after %i objects", async (count) => {
    const lines = jsonRows(count).join("\n");
    const array = `[${jsonRows(count).join(",\n")}`;
    for (const [name, content] of [
      ["early.jsonl", `${lines}\n{"who": "u", "speed": ${SECRET}`],
      ["early.jsonl", `${lines}\n{"who": "u", "speed": ${SECRET}, "shop": "s`],
      ["early.json", `${array},\n{"who": "u", "speed": ${SECRET}`],
      ["early.json", array],
      ["early.json", `${array},\n`],
    ] as const) {
      const { code } = await refused(name, content);
      expect(code).toBe("INPUT_MALFORMED");
    }
  });

  test("JSON that goes on after its end, or holds something else than objects", async () => {
    for (const [name, content] of [
      ["after.json", `[${jsonRow(1)}] ${SECRET}`],
      ["twice.json", `[${jsonRow(1)}]\n[${jsonRow(2)}]`],
      ["scalar.json", `[${jsonRow(1)}, ${SECRET}]`],
      ["scalar.jsonl", `${jsonRow(1)}\n${SECRET}\n`],
      ["array.jsonl", `${jsonRow(1)}\n[${jsonRow(2)}]\n`],
      ["pair.jsonl", `${jsonRow(1)} ${jsonRow(2)}\n`],
    ] as const) {
      const { code } = await refused(name, content);
      expect(["INPUT_UNREADABLE", "INPUT_MALFORMED"], name).toContain(code);
    }
  });

  test.each([1, 3, 9000])("JSON that is broken after %i objects says in which", async (before) => {
    const broken = `{"who": "u" "speed": ${SECRET}}`;
    const objects = [...jsonRows(before), broken, ...jsonRows(2)];
    for (const [name, content] of [
      ["broken.jsonl", objects.join("\n")],
      ["broken.json", `[${objects.join(", ")}]`],
    ] as const) {
      const { code, message } = await refused(name, content);
      expect(code).toBe("INPUT_MALFORMED");
      expect(message).toContain(`object ${before + 1} is not well-formed`);
    }
  });

  test("Parquet that ends early", async () => {
    const whole = readFileSync(
      await writeParquetWith(folder, `SELECT 'u' AS who, ${SECRET} AS speed, 's' AS shop FROM range(9000)`),
    );
    for (const length of [whole.length - 1, whole.length >> 1, 10]) {
      const { code } = await refused("early.parquet", whole.subarray(0, length));
      expect(["INPUT_UNREADABLE", "INPUT_MALFORMED"]).toContain(code);
    }
  });

  test("nothing but a header, and nothing at all", async () => {
    expect((await refusalOf(countsIn(file("header.csv", "who,speed,shop\n")))).code).toBe("INPUT_EMPTY");
    expect((await refused("nothing.csv", "")).code).toBe("INPUT_EMPTY");
    expect((await refused("nothing.json", "[]")).code).toMatch(/INPUT_EMPTY|INPUT_MALFORMED/);
  });

  test("a column that is not there, a file that is not there, a folder", async () => {
    const { message } = await refused("columns.csv", csv(3), { ...BY_SHOP, value: "pace" });
    expect(message).toContain("no column 'pace' (--value); it has 'who', 'speed', 'shop'");
    expect((await refusalOf(countsIn(path.join(folder, "no-such.csv")))).code).toBe("INPUT_NOT_FOUND");
    expect((await refusalOf(countsIn(path.join(folder, "no-such-*.csv")))).code).toBe("INPUT_NOT_FOUND");
    expect((await refusalOf(countsIn(folder))).code).toBe("INPUT_UNREADABLE");
  });

  test("a field that no JSON object has is a column that is not there", async () => {
    const recipeOptions = { ...BY_SHOP, value: "pace", missing: "midpoint" };
    const { message } = await refused("fields.jsonl", jsonRows(3).join("\n"), recipeOptions);
    expect(message).toContain("'pace'");
  });

  test("a file that changes between the plan and the totals is refused or read as planned", async () => {
    const source = file("changing.csv", csv(10));
    const records = await recordsAt(engine, source, BY_SHOP);
    const plan = baselinePlan((await engine.readOccupancy(records)).occupancy, FLAGS);
    file("changing.csv", csv(11));
    expect((await refusalOf(engine.readTotals(records, plan), [SECRET])).code).toBe("PLAN_MISMATCH");
    rmSync(source);
    expect((await refusalOf(engine.readTotals(records, plan), [SECRET])).code).toBe("INPUT_NOT_FOUND");
  });
});
