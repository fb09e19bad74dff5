/** The DuckDB engine and files as they come: column types, dialects, several files. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { latLngToCell } from "h3-js";
import { describe, expect, test } from "vitest";
import { BY_SHOP, countsIn, engine, file, folder, sumsIn, sumsTold } from "./duckdb-bench.ts";
import { recordsAt, refusalOf } from "./harness.ts";
import { writeParquetWith } from "./write-records.ts";

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

  test.each(["BIGINT", "VARCHAR", "UUID", "DATE"])("a user of type %s that is null is none", async (type) => {
    const some = { UUID: "00000000-0000-0000-0000-000000000000", DATE: "2016-12-16" }[type] ?? "0";
    const source = await parquet(
      `SELECT CAST(x AS ${type}) AS who, 1 AS speed, 's' AS shop FROM (VALUES ('${some}'), (NULL), (NULL)) AS t(x)`,
    );
    expect((await refusalOf(countsIn(source))).message).toContain("column 'who' is empty in 2 records");
    expect(await countsIn(source, { ...BY_SHOP, emptyUser: "drop" })).toEqual([[some, "s", 1]]);
    expect(await countsIn(source, { ...BY_SHOP, emptyUser: "one" })).toEqual([
      ["", "s", 2],
      [some, "s", 1],
    ]);
  });

  test("fields that are absent are no users, of files of several kinds together", async () => {
    file("userless-1.csv", "who,speed,shop\nu,1,s\n,2,s\n");
    file(
      "userless-2.jsonl",
      '{"speed": "no number"}\n{"who": "v", "speed": 3, "shop": "s"}\n{"who": null, "speed": 1}\n',
    );
    const source = path.join(folder, "userless-*");
    const records = await recordsAt(engine, source, { ...BY_SHOP, emptyUser: "drop" });
    const { notes } = await engine.readOccupancy(records);
    expect(notes).toMatchObject({ records: 2, withoutUser: 3 });
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
    const recipeOptions = { user: "who", value: "speed", time: "when", slot: "1h", tz: "-06:00" };
    expect(await countsIn(source, recipeOptions)).toEqual([["u", slot, 1]]);
  });

  test.each([
    ["epoch-s", "CAST(1481902200 AS BIGINT)"],
    ["epoch-s", "CAST(1481902200.25 AS DOUBLE)"],
    ["epoch-ms", "CAST(1481902200000 AS BIGINT)"],
  ])("times as %s in %s", async (timeFormat, value) => {
    const source = await parquet(`SELECT 'u' AS who, 1 AS speed, ${value} AS "when"`);
    const recipeOptions = { user: "who", value: "speed", time: "when", slot: "1h", tz: "-06:00", timeFormat };
    expect(await countsIn(source, recipeOptions)).toEqual([["u", "2016-12-16T09:00-06:00", 1]]);
  });

  test.each(["BIGINT", "UBIGINT", "DECIMAL(20, 0)", "VARCHAR"])("cells as %s", async (type) => {
    const source = await parquet(
      `SELECT who, 1 AS speed, CAST(x AS ${type}) AS cell FROM (VALUES ('u', 614553222213795839), ('v', NULL)) AS t(who, x)`,
    );
    const recipeOptions = { user: "who", value: "speed", cell: "cell" };
    expect(await countsIn(source, recipeOptions)).toEqual([
      ["u", "88754e6499fffff", 1],
      ["v", "%null", 1],
    ]);
    expect(await countsIn(source, { ...recipeOptions, h3: "5" })).toEqual([
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
    ["a line that says the delimiter", "\uFEFFsep=|\r\nwho|speed|shop\r\nu|1.5|s\r\nv|2|s\r\n"],
    ["that line in quotes, and carriage returns alone", '"sep=;"\rwho;speed;shop\ru;1,5;s\rv;2;s\r'],
    ["UTF-16 with its mark", Buffer.from("\uFEFFwho,speed,shop\nu,1.5,s\nv,2,s\n", "utf16le")],
    ["UTF-16 that begins with sep", Buffer.from("\uFEFFsep=;\nwho;speed;shop\nu;1.5;s\nv;2;s\n", "utf16le")],
    ["gzip UTF-16", gzipSync(Buffer.from("\uFEFFwho,speed,shop\nu,1.5,s\nv,2,s\n", "utf16le"))],
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
    const recipeOptions = { user: "column1", value: "column2", by: "column3" };
    expect(await sumsIn(source, recipeOptions)).toEqual({ s: 350 });
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

describe("encodings", () => {
  const table = "who,speed,shop\nMüller,1.5,Café\nŁé,2,日\u010A本\n";
  const latin = table.replace("Łé", "Né").replace("日\u010A本", "ñ");

  test("ids of UTF-16 and Latin-1, sniffed or told, in gzip too, are those of UTF-8", async () => {
    const wide = await countsIn(file("wide.csv", Buffer.from(`\uFEFF${table}`, "utf16le")));
    expect(wide).toEqual(await countsIn(file("utf8.csv", table)));
    const bytes = Buffer.from(latin, "latin1");
    const expected = await countsIn(file("latin-8.csv", latin));
    expect(expected).toContainEqual(["Müller", "Café", 1]);
    for (const content of [bytes, gzipSync(bytes)]) {
      expect(await countsIn(file("latin.csv", content))).toEqual(expected);
      expect(await countsIn(file("latin.csv", content), BY_SHOP, { encoding: "latin-1" })).toEqual(expected);
    }
    const unmarked = Buffer.from(table, "utf16le");
    expect(await countsIn(file("unmarked.csv", unmarked), BY_SHOP, { encoding: "utf-16" })).toEqual(wide);
    file("both-1.csv", latin);
    file("both-2.csv", bytes);
    expect(await countsIn(path.join(folder, "both-*.csv"))).toContainEqual(["Müller", "Café", 2]);
  });

  test.each([0, 9000])("what the engine cannot read is refused with what to do, below %i rows", async (before) => {
    const rows = `who,speed,shop\nMüller,1,s\n${"u,1,s\n".repeat(before)}`;
    const refused = async (content: Uint8Array, encoding?: "latin-1"): Promise<string> =>
      (await refusalOf(countsIn(file("refused.csv", content), BY_SHOP, { encoding }), ["61.2789"])).message;
    const dollars = Buffer.from(`${rows}\x80uro,61.2789,s\n`, "latin1");
    expect(await refused(dollars, "latin-1")).toMatch(/bytes that Latin-1 has not.*iconv -f WINDOWS-1252 -t UTF-8/);
    expect(await refused(dollars)).toMatch(/line 2: not UTF-8; give --encoding latin-1/);
    const emoji = Buffer.from(`\uFEFF${rows}😀,61.2789,s\n`, "utf16le");
    expect(await refused(emoji)).toMatch(/characters beyond.*iconv -f UTF-16 -t UTF-8/);
    expect(await refused(Buffer.from(emoji).swap16())).toMatch(/big-endian UTF-16.*iconv -f UTF-16 -t UTF-8/);
    const cyrillic = Buffer.from(`${rows}\xcf\xf0\xe8\xe2\xe5\xf2,61.2789,s\n`, "latin1");
    expect(await refused(cyrillic)).toMatch(/line 2: not UTF-8/);
  });

  test("rows and lines keep their numbers below a line that says the delimiter", async () => {
    const row = await refusalOf(countsIn(file("sep-row.csv", "sep=;\nwho;speed;shop\nu;1;s\nu;x;s\n")));
    expect(row.message).toContain("row 2: column 'speed'");
    const line = await refusalOf(countsIn(file("sep-line.csv", "sep=;\nwho;speed;shop\nu;1;s\nu;2\n")));
    expect(line.message).toContain("line 4: 2 columns where the header has 3");
  });
});

describe("amounts", () => {
  const bySemicolon = (...cells: string[]): string =>
    `who;speed;shop\n${cells.map((cell, at) => `u${at};${cell};s\n`).join("")}`;

  test.each([
    ["dollars", bySemicolon("$12.25", "-$1,234.00", "$7"), 1225 + 700],
    ["euros after the number", bySemicolon("1.234,50 €", "12,25 €", " 7 € "), 10000 + 1925],
    ["spaces in numbers", bySemicolon("-1\u00a0234,5", "2 345,5", "12"), 10000 + 1200],
    ["apostrophes and letters", bySemicolon("Fr. 1'234.50", "Fr. 0.5"), 10000 + 50],
    ["quotes among commas", 'who,speed,shop\nu,"$1,234.50",s\nv,$2.25,s\n', 10000 + 225],
    ["words for nothing", bySemicolon("12 kr", "NaN", "1 200 kr"), 1200 + 5000 + 10000],
  ])("%s", async (_, content, sum) => {
    // Cut at 0 and at 100, in hundredths.
    expect(await sumsIn(file("amounts.csv", content), { ...BY_SHOP, missing: "midpoint" })).toEqual({ s: sum });
  });

  test.each([
    "1,23,4",
    "€5",
    "1.234,5",
    "12",
    "--$5",
    "$1 234",
    "$",
    "$1_000",
    `$${"1".repeat(1001)}`,
  ])("%s among dollars is refused with its row", async (cell) => {
    const { message } = await refusalOf(
      countsIn(file("mixed.csv", bySemicolon(...Array<string>(6000).fill("$1,234.50"), cell))),
    );
    expect(message).toMatch(/row 6,001: column 'speed' holds text that is not a number/);
  });

  test("1.234 beside decimal commas is refused", async () => {
    const { message } = await refusalOf(
      countsIn(file("points.csv", bySemicolon(...Array<string>(6000).fill("12,5"), "1.234"))),
    );
    expect(message).toMatch(/row 6,001: column 'speed' holds text that is not a number/);
  });

  test("1,234 alone is refused, and read as it is told", async () => {
    const source = file("doubtful.csv", bySemicolon("1,234", "2,000"));
    const { message } = await refusalOf(countsIn(source), ["1,234"]);
    expect(message).toContain("row 1: column 'speed' holds text that is not a number");
    expect(message).toContain(
      "without thousands separators, or, if a comma stands before decimals, use --decimal-comma",
    );
    expect(await sumsTold(source, { decimalComma: true })).toEqual({ s: 123 + 200 });
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
    const recipeOptions = { user: "bus.id", value: "speed", by: "bus.make.name,open,shop", emptyUser: "one" };
    for (const source of [
      file("nested.jsonl", `${rows.join("\n")}\n`),
      file("nested.jsonl.gz", gzipSync(rows.join("\n"))),
      file("nested.json", `[${rows.join(",")}]`),
    ]) {
      expect(await countsIn(source, recipeOptions)).toEqual(expected);
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

describe("--user filename", () => {
  const recipeOptions = { user: "filename", value: "speed", by: "shop" };
  const cabs = (name: string): string => path.join(folder, "cabs", name);

  test("users are the names of the files, whatever their kind, in counts and in totals", async () => {
    mkdirSync(cabs("deep"), { recursive: true });
    file("cabs/new_abboip.txt", "speed shop x\n1 s 0\n2 s 0\n2 s 0\n");
    file("cabs/a.b.csv.gz", gzipSync("speed,shop\n3,s\n"));
    file("cabs/it's [1].jsonl", '{"speed": 4, "shop": "t"}\n');
    file("cabs/plain", "speed;shop\n5;s\n");
    const parquet = await writeParquetWith(cabs("deep"), "SELECT 6 AS speed, 't' AS shop");
    const source = path.join(folder, "cabs", "**");
    expect(await countsIn(source, recipeOptions)).toEqual(
      [
        ["a.b", "s", 1],
        ["it's [1]", "t", 1],
        ["new_abboip", "s", 3],
        ["plain", "s", 1],
        [path.basename(parquet, ".parquet"), "t", 1],
      ].sort(),
    );
    expect(await sumsIn(source, recipeOptions)).toEqual({ s: 1300, t: 1000 });
    expect(await sumsIn(source, { ...recipeOptions, dedupe: "shop" })).toEqual({ s: 900, t: 1000 });
  });

  test("a column of that name wins, in a file alone and in several", async () => {
    const source = file("named-1.csv", "filename,speed,shop\nu,1,s\n");
    expect(await countsIn(source, recipeOptions)).toEqual([["u", "s", 1]]);
    file("named-2.csv", "filename,speed,shop\nu,1,s\n");
    expect(await countsIn(path.join(folder, "named-*.csv"), recipeOptions)).toEqual([["u", "s", 2]]);
    file("named-3.csv", "speed,shop\n1,s\n");
    const { message } = await refusalOf(countsIn(path.join(folder, "named-*.csv"), recipeOptions));
    expect(message).toMatch(/named-3\.csv' has no column 'filename' \(--user\)/);
  });

  test("a single file is refused, and so are two of one name", async () => {
    const alone = await refusalOf(countsIn(file("alone.csv", "speed,shop\n1,s\n"), recipeOptions));
    expect(alone.code).toBe("USAGE");
    expect(alone.message).toMatch(/needs one file per user; '.*alone\.csv' is a single file/);
    for (const day of ["mon", "tue"]) {
      mkdirSync(path.join(folder, day));
      file(`${day}/cab.csv`, "speed,shop\n1,s\n");
    }
    const { code, message } = await refusalOf(countsIn(path.join(folder, "[mt]*[ne]", "cab.csv"), recipeOptions));
    expect(code).toBe("INPUT_MALFORMED");
    expect(message).toMatch(/'.*mon.cab\.csv' and '.*tue.cab\.csv' would be one user, 'cab'/);
  });
});
