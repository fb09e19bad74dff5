/** The DuckDB engine and files as they come: column types, dialects, several files, and everything that can be wrong with one. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { latLngToCell } from "h3-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DuckDbEngine } from "../../src/engines/index.ts";
import { parseRecipe, type RecipeWishes } from "../../src/partition/index.ts";
import type { DialectWishes } from "../../src/sources/index.ts";
import { baselinePlan, recordsAt, refusalOf, type Triple, triplesOf } from "./harness.ts";
import { writeParquetWith } from "./write-records.ts";

let engine: DuckDbEngine;
let folder: string;
beforeAll(async () => {
  engine = await DuckDbEngine.open({ memory: "512MB" });
  folder = mkdtempSync(path.join(tmpdir(), "veilgrid-files-"));
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const BY_SHOP = { user: "who", value: "speed", by: "shop" };
const FLAGS = { bounds: "0,100", step: "0.01" };

function file(name: string, content: string | Uint8Array): string {
  const full = path.join(folder, name);
  writeFileSync(full, content);
  return full;
}

async function countsIn(
  source: string,
  wishes: RecipeWishes = BY_SHOP,
  dialect: DialectWishes = {},
): Promise<Triple[]> {
  const records = { source: await engine.describe(source, dialect), recipe: parseRecipe(wishes) };
  return triplesOf((await engine.readOccupancy(records)).occupancy);
}

/** Σ i of each grid with bounds 0 … 100 and steps of 0.01: hundredths. */
async function sumsIn(source: string, wishes: RecipeWishes = BY_SHOP): Promise<Record<string, number>> {
  const records = await recordsAt(engine, source, wishes);
  const { occupancy } = await engine.readOccupancy(records);
  const { totals } = await engine.readTotals(records, baselinePlan(occupancy, FLAGS));
  return Object.fromEntries(totals.map(({ grid, sum }) => [grid, Number(sum)]));
}

describe("Parquet", () => {
  const parquet = (query: string): Promise<string> => writeParquetWith(folder, query);

  test.each(["DOUBLE", "FLOAT", "DECIMAL(9, 2)", "DECIMAL(38, 2)", "VARCHAR"])("values as %s", async (type) => {
    const source = await parquet(
      `SELECT 'u' AS who, CAST(x AS ${type}) AS speed, 's' AS shop FROM (VALUES ('0.25'), ('99.5'), (NULL)) AS t(x)`,
    );
    expect(await sumsIn(source, { ...BY_SHOP, missing: "drop" })).toEqual({ s: 25 + 9950 });
  });

  test.each(["TINYINT", "INTEGER", "BIGINT", "UBIGINT", "HUGEINT"])("whole values as %s", async (type) => {
    const source = await parquet(`SELECT 'u' AS who, CAST(x AS ${type}) AS speed, 's' AS shop FROM range(5) AS t(x)`);
    expect(await sumsIn(source)).toEqual({ s: 1000 });
  });

  test("NaN is a missing value", async () => {
    const source = await parquet(
      "SELECT 'u' AS who, CAST(x AS DOUBLE) AS speed, 's' AS shop FROM (VALUES ('NaN'), ('1'), ('-NaN'), (NULL)) AS t(x)",
    );
    expect(await countsIn(source, { ...BY_SHOP, missing: "drop" })).toEqual([["u", "s", 1]]);
    expect(await sumsIn(source, { ...BY_SHOP, missing: "midpoint" })).toEqual({ s: 100 + 3 * 5000 });
    const { message } = await refusalOf(countsIn(source));
    expect(message).toContain("row 1: column 'speed' is empty");
  });

  test("NaN deep in a file is a missing value", async () => {
    const source = await parquet(
      "SELECT 'u' AS who, CASE WHEN x = 4000 THEN CAST('NaN' AS DOUBLE) ELSE 1 END AS speed, 's' AS shop FROM range(5000) AS t(x)",
    );
    expect(await countsIn(source, { ...BY_SHOP, missing: "drop" })).toEqual([["u", "s", 4999]]);
    expect((await refusalOf(countsIn(source))).message).toContain("row 4,001: column 'speed' is empty");
  });

  test.each(["Infinity", "-Infinity"])("%s is refused", async (value) => {
    for (const row of [1, 3000]) {
      const source = await parquet(
        `SELECT 'u' AS who, CASE WHEN x = ${row} THEN CAST('${value}' AS DOUBLE) ELSE 1 END AS speed, 's' AS shop FROM range(4000) AS t(x)`,
      );
      const { code, message } = await refusalOf(countsIn(source, { ...BY_SHOP, missing: "drop" }));
      expect(code).toBe("INPUT_MALFORMED");
      expect(message).toContain(`row ${(row + 1).toLocaleString("en-US")}: column 'speed'`);
    }
  });

  test("ids of any type are their text", async () => {
    const source = await parquet(
      "SELECT CAST(9007199254740993 AS BIGINT) AS who, 1 AS speed, true AS flag, DATE '2016-12-16' AS day, CAST(7 AS SMALLINT) AS line",
    );
    expect(await countsIn(source, { user: "who", value: "speed", by: "flag,day,line" })).toEqual([
      ["9007199254740993", "true/2016-12-16/7", 1],
    ]);
  });

  test.each([
    ["TIMESTAMP", "2016-12-16T09:00-06:00"],
    ["TIMESTAMP_S", "2016-12-16T09:00-06:00"],
    ["TIMESTAMP_MS", "2016-12-16T09:00-06:00"],
    ["TIMESTAMP_NS", "2016-12-16T09:00-06:00"],
    ["TIMESTAMP WITH TIME ZONE", "2016-12-16T03:00-06:00"],
    ["DATE", "2016-12-16T00:00-06:00"],
    ["VARCHAR", "2016-12-16T09:00-06:00"],
  ])("times as %s", async (type, slot) => {
    const source = await writeParquetWith(folder, async (connection) => {
      await connection.run("SET TimeZone = 'UTC'");
      return `SELECT 'u' AS who, 1 AS speed, CAST('2016-12-16 09:30:00' AS ${type}) AS "when"`;
    });
    const wishes = { user: "who", value: "speed", time: "when", slot: "1h", tz: "-06:00" };
    expect(await countsIn(source, wishes)).toEqual([["u", slot, 1]]);
  });

  test.each([
    ["epoch-s", "CAST(1481902200 AS BIGINT)"],
    ["epoch-s", "CAST(1481902200.25 AS DOUBLE)"],
    ["epoch-ms", "CAST(1481902200000 AS BIGINT)"],
  ])("times as %s in %s", async (timeFormat, value) => {
    const source = await parquet(`SELECT 'u' AS who, 1 AS speed, ${value} AS "when"`);
    const wishes = { user: "who", value: "speed", time: "when", slot: "1h", tz: "-06:00", timeFormat };
    expect(await countsIn(source, wishes)).toEqual([["u", "2016-12-16T09:00-06:00", 1]]);
  });

  test.each(["BIGINT", "UBIGINT", "DECIMAL(20, 0)", "VARCHAR"])("cells as %s", async (type) => {
    const source = await parquet(
      `SELECT who, 1 AS speed, CAST(x AS ${type}) AS cell FROM (VALUES ('u', 614553222213795839), ('v', NULL)) AS t(who, x)`,
    );
    const wishes = { user: "who", value: "speed", cell: "cell" };
    expect(await countsIn(source, wishes)).toEqual([
      ["u", "88754e6499fffff", 1],
      ["v", "%null", 1],
    ]);
    expect(await countsIn(source, { ...wishes, h3: "5" })).toEqual([
      ["u", "85754e67fffffff", 1],
      ["v", "%null", 1],
    ]);
  });

  test.each([
    ["a double, which holds no cell exactly", "CAST(614553222213795839 AS DOUBLE)"],
    ["a number beyond 64 bits", "CAST('614553222213795839000' AS HUGEINT)"],
    ["a number with its highest bit set", "CAST('9837925259068571647' AS UBIGINT)"],
    ["a small number", "CAST(88 AS INTEGER)"],
    ["a negative number", "CAST(-614553222213795839 AS BIGINT)"],
  ])("what is no cell: %s", async (_, cell) => {
    const source = await parquet(`SELECT 'u' AS who, 1 AS speed, ${cell} AS cell`);
    const { message } = await refusalOf(countsIn(source, { user: "who", value: "speed", cell: "cell" }));
    expect(message).toMatch(/row 1: column 'cell': '.*' is no H3 cell/);
  });

  test("fields inside a column, and points as lists", async () => {
    const source = await parquet(
      `SELECT {'id': 'u', 'a.b': 1} AS bus, {'speed': {'now': 12.5}} AS m, {'lat': 41.5, 'lon': -87.5} AS place, [-87.5, 41.5] AS point`,
    );
    const user = { user: "bus.id", value: "m.speed.now", h3: "7" };
    const byColumns = await countsIn(source, { ...user, lat: "place.lat", lon: "place.lon" });
    expect(byColumns).toEqual([["u", latLngToCell(41.5, -87.5, 7), 1]]);
    expect(await countsIn(source, { ...user, point: "point" })).toEqual(byColumns);
  });
});

describe("CSV dialects", () => {
  test.each([
    ["semicolons and decimal commas", "who;speed;shop\nu;1,5;s\nv;2;s\n"],
    ["tabs", "who\tspeed\tshop\nu\t1.5\ts\nv\t2\ts\n"],
    ["pipes", "who|speed|shop\nu|1.5|s\nv|2|s\n"],
    ["a byte-order mark", "\uFEFFwho,speed,shop\nu,1.5,s\nv,2,s\n"],
    ["carriage returns", "who,speed,shop\r\nu,1.5,s\r\nv,2,s\r\n"],
    ["no newline at the end", "who,speed,shop\nu,1.5,s\nv,2,s"],
    ["quotes around everything", '"who","speed","shop"\n"u","1.5","s"\n"v","2","s"\n'],
    ["spaces around numbers", "who,speed,shop\nu, 1.5 ,s\nv,\t2,s\n"],
    ["a blank line at the end", "who,speed,shop\nu,1.5,s\nv,2,s\n\n"],
    ["other columns", "a,who,b,speed,c,shop,d\n1,u,2,1.5,3,s,4\n,v,,2,,s,\n"],
  ])("%s", async (name, content) => {
    const source = file(`dialect-${name.replaceAll(" ", "-")}.csv`, content);
    expect(await countsIn(source)).toEqual([
      ["u", "s", 1],
      ["v", "s", 1],
    ]);
    expect(await sumsIn(source)).toEqual({ s: 350 });
  });

  test("no header", async () => {
    const source = file("headless.csv", "u,1.5,s\nv,2,s\n");
    const wishes = { user: "column1", value: "column2", by: "column3" };
    expect(await sumsIn(source, wishes)).toEqual({ s: 350 });
  });

  test("columns whose names differ in case only", async () => {
    const csv = file("case.csv", "who,speed,shop,Shop\nu,1.5,s,S\n");
    expect(await countsIn(csv)).toEqual([["u", "s", 1]]);
    expect(await countsIn(csv, { ...BY_SHOP, by: "Shop" })).toEqual([["u", "S", 1]]);
  });

  test("a gzip file by its bytes, whatever it is called, in several members", async () => {
    const members = ["who,speed,shop\nu,1.5,s\n", "v,2,s\n"].map((text) => gzipSync(text));
    expect(await sumsIn(file("compressed-but-called.csv", Buffer.concat(members)))).toEqual({ s: 350 });
    expect(await sumsIn(file("plain-but-called.csv.gz", "who,speed,shop\nu,1.5,s\nv,2,s\n"))).toEqual({ s: 350 });
  });
});

describe("JSON", () => {
  test("nested fields, fields that come late or not at all, numbers and booleans as ids", async () => {
    const rows = [
      '{"bus": {"id": 7, "make": {"name": "x"}}, "speed": 1.5, "open": true}',
      '{"bus": {"id": "7"}, "speed": 2e0, "open": "true", "shop": "late"}',
      '{"speed": "3", "bus": null}',
    ];
    const expected = [
      ["", "%null/%null/%null", 1],
      ["7", "%null/true/late", 1],
      ["7", "x/true/%null", 1],
    ];
    const wishes = { user: "bus.id", value: "speed", by: "bus.make.name,open,shop" };
    for (const source of [
      file("nested.jsonl", `${rows.join("\n")}\n`),
      file("nested.jsonl.gz", gzipSync(rows.join("\n"))),
      file("nested.json", `[${rows.join(",")}]`),
    ]) {
      expect(await countsIn(source, wishes)).toEqual(expected);
    }
  });

  test("a field that first appears far below, as far as the first look goes", async () => {
    const lines = (first: number): string =>
      Array.from({ length: 6000 }, (_, row) =>
        JSON.stringify({ who: "u", speed: 1, ...(row < first ? {} : { shop: "s" }) }),
      ).join("\n");
    expect(await countsIn(file("late.jsonl", lines(4990)))).toEqual([
      ["u", "%null", 4990],
      ["u", "s", 1010],
    ]);
    const { message } = await refusalOf(countsIn(file("later.jsonl", lines(5990))));
    expect(message).toContain("later.jsonl' has no column 'shop' (--by)");
  });

  test("fields whose names differ in case only", async () => {
    const source = file("case.jsonl", '{"who": "u", "speed": 1.5, "shop": "s", "Shop": "S"}\n');
    expect(await countsIn(source)).toEqual([["u", "s", 1]]);
    expect(await countsIn(source, { ...BY_SHOP, by: "Shop" })).toEqual([["u", "S", 1]]);
    expect(await countsIn(source, { ...BY_SHOP, by: "shop,Shop" })).toEqual([["u", "s/S", 1]]);
  });

  test("a large whole number is the id it is written as", async () => {
    const source = file("large-ids.jsonl", '{"who": 9007199254740993, "speed": 1, "shop": 18446744073709551615}\n');
    expect(await countsIn(source)).toEqual([["9007199254740993", "18446744073709551615", 1]]);
  });
});

describe("several files", () => {
  test("of different kinds, with columns in another order, are one source", async () => {
    file("many-1.csv", "who,speed,shop\nu,1,s\n");
    file("many-2.csv", "shop;who;speed\ns;u;2,5\n");
    file("many-3.csv.gz", gzipSync("who,speed,shop\nu,3,s\n"));
    file("many-4.jsonl", '{"shop": "s", "who": "u", "speed": 4}\n');
    const parquet = await writeParquetWith(folder, "SELECT 's' AS shop, 'u' AS who, 5 AS speed");
    const pattern = path.join(folder, "many-*");
    expect(await sumsIn(pattern)).toEqual({ s: 1050 });
    expect(await sumsIn(parquet)).toEqual({ s: 500 });
  });

  test("the file at fault is named, and the row in it", async () => {
    file("fault-1.csv", "who,speed,shop\nu,1,s\n");
    file("fault-2.csv", "who,speed,shop\nu,1,s\nu,61.2789x,s\n");
    file("fault-3.csv", "who,speed,shop\nu,1,s\n");
    const { message } = await refusalOf(countsIn(path.join(folder, "fault-*.csv")), ["61.2789"]);
    expect(message).toContain("fault-2.csv': row 2: column 'speed'");
  });

  test("one that lacks a column is named", async () => {
    file("lack-1.csv", "who,speed,shop\nu,1,s\n");
    file("lack-2.csv", "who,speed,store\nu,1,s\n");
    const { code, message } = await refusalOf(countsIn(path.join(folder, "lack-*.csv")));
    expect(code).toBe("INPUT_MALFORMED");
    expect(message).toMatch(/lack-2\.csv' has no column 'shop' \(--by\)/);
  });
});

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
  async function refused(name: string, content: string | Uint8Array, wishes: RecipeWishes = BY_SHOP) {
    const error = await refusalOf(countsIn(file(name, content), wishes), [SECRET, "61.27"]);
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
    const latin = Buffer.from([...["who,speed,shop", ...rows(before)], `café,${SECRET},s`, ""].join("\n"), "latin1");
    const { code, message } = await refused("latin.csv", latin);
    expect(code).toBe("INPUT_MALFORMED");
    expect(message).toContain("UTF-8");
    const json = Buffer.from(
      `${jsonRows(before).join("\n")}\n{"who": "café", "speed": ${SECRET}, "shop": "s"}\n`,
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
    const wishes = { ...BY_SHOP, value: "pace", missing: "midpoint" };
    const { message } = await refused("fields.jsonl", jsonRows(3).join("\n"), wishes);
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
