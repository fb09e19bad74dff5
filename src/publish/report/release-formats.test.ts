/** Tests every format by reading it back: CSV with an independent reader, GeoJSON's rings, HTML's safety, warnings, statements. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleResult } from "../../../test/support/sample-result.ts";
import { parseDecimal, Rational } from "../../core/arithmetic/index.ts";
import type { ReleaseResult } from "../release/index.ts";
import { parquetColumns, releaseColumns } from "./release-columns.ts";
import { releaseHtml } from "./release-html.ts";
import { dataDictionary, privacyStatement, privacyStatementJson } from "./release-markdown.ts";
import { exactReleaseCsv, releaseCsv, releaseGeoJson, releaseJson } from "./release-tables.ts";
import { releasedRows } from "./released-rows.ts";
import { guessPercent } from "./text-table.ts";

const ALL = ["mean", "variance", "share:50", "sum", "histogram:10/20"];
const HOSTILE = [
  "<script>alert(1)</script>",
  `"><img src=x onerror='alert(1)'>`,
  "a,b\r\nc",
  "\u202egpj.exe",
  "😀/é%",
  "",
  "</title></svg>",
  "=1+1",
  "`|*_#",
];

/** RFC 4180 by the letter. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let at = 0;
  while (at < text.length) {
    let field = "";
    if (text[at] === '"') {
      for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at += 1) {
        if (text[at] === '"') at += 1;
        field += text[at];
      }
      at += 1;
    } else for (; text[at] !== "," && text[at] !== "\r"; at += 1) field += text[at];
    rows.at(-1)!.push(field);
    if (text[at] === ",") at += 1;
    else {
      expect(text.slice(at, at + 2)).toBe("\r\n");
      at += 2;
      if (at < text.length) rows.push([]);
    }
  }
  return rows;
}

/** What a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const isNumber = (field: string): boolean => field !== "" && Number.isFinite(Number(field));

/** Takes away what keeps a text from being a formula. */
const withoutGuard = (field: string): string =>
  field.startsWith("'") && FORMULA.test(field.replace(/^'+/, "")) ? field.slice(1) : field;

function expectSameInCsv(result: ReleaseResult): void {
  expectSame(result, readCsv(exactReleaseCsv(result)));
  const guarded = readCsv(releaseCsv(result));
  for (const field of guarded.flat()) expect(FORMULA.test(field) && !isNumber(field)).toBe(false);
  expectSame(
    result,
    guarded.map((row) => row.map(withoutGuard)),
  );
}

function expectSame(result: ReleaseResult, [head, ...body]: string[][]): void {
  const columns = releaseColumns(result);
  expect(head).toEqual(columns.map(({ name }) => name));
  const rows = releasedRows(result);
  expect(body).toHaveLength(rows.length);
  body.forEach((fields, at) => {
    columns.forEach((column, index) => {
      const value = column.of(rows[at]!);
      const field = fields[index]!;
      if (typeof value === "number") expect(Number(field)).toBe(value);
      else expect(field).toBe(value ?? "");
    });
  });
}

test("CSV gives back every value, exactly", () => {
  expectSameInCsv(sampleResult({ cells: 7, statistics: ALL, slots: ["2016-12-16T09:00+05:30"], empty: [2] }));
  expectSameInCsv(sampleResult({ ids: HOSTILE, by: ["shop"] }));
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 4 }), (ids) => {
      expectSameInCsv(sampleResult({ ids, by: ["shop"] }));
    }),
    { numRuns: 30 },
  );
});

test("CSV has no formula for a spreadsheet, and says so where it changed a text", () => {
  const ids = [
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "\tx",
    "'=x",
    "＝1",
    "-5",
    "+3.5",
    "'quoted'",
    "plain",
  ];
  const result = sampleResult({ ids, by: ["=shop"] });
  expectSameInCsv(result);
  const written = readCsv(releaseCsv(result));
  expect(written[0]).toContain("'=shop");
  for (const shown of ["'=cmd|' /C calc'!A0", "'-1+1", "''=x", "-5", "+3.5", "'quoted'", "plain"])
    expect(written.flat()).toContain(shown);
  expect(dataDictionary(result)).toContain("has a ' before it");
  expect(dataDictionary(sampleResult({ ids: ["a", "-5"], by: ["shop"] }))).not.toContain("has a ' before it");
});

test("CSV columns are those of a released row", () => {
  const [head] = readCsv(releaseCsv(sampleResult({ slots: ["2016-12-16T09:00+05:30"] })));
  expect(head).toEqual(
    "grid cell slot users samples kept mean mean_raw mean_low mean_high mean_scale mean_bias mean_error variance variance_raw variance_low variance_high variance_scale variance_bias sd sd_low sd_high variance_error".split(
      " ",
    ),
  );
});

test("a column called like one of ours is told apart, whatever its case", () => {
  const result = sampleResult({ ids: ["a"], by: ["Users"] });
  const names = parquetColumns(result).map(({ name }) => name.toLowerCase());
  expect(new Set(names).size).toBe(names.length);
  expect(parquetColumns(result)[1]).toEqual({ name: "by_Users", type: "VARCHAR" });
  expect(parquetColumns(result).find(({ name }) => name === "kept")).toEqual({ name: "kept", type: "BIGINT" });
});

test("JSON holds the rows, the columns explained and the privacy statement", () => {
  const result = sampleResult({ cells: 3, statistics: ALL, empty: [1] });
  const parsed = JSON.parse(releaseJson(result, { confidence: Rational.of(9, 10) }));
  expect(parsed).toMatchObject({
    format: "veilgrid-release/1",
    confidence: "0.9",
    privacy: { loss: { exact: "1.734210000000000123" } },
  });
  expect(parsed.warning).toBeUndefined();
  expect(parsed.rows).toHaveLength(3);
  expect(parsed.rows[1].statistics).toBeNull();
  expect(parsed.rows[0].statistics["histogram:10/20"].bins[0].bin).toBe("[0,10)");
  const [row] = releasedRows(result, { confidence: Rational.of(9, 10) });
  expect(parsed.rows[0].statistics.variance.sd).toEqual(row!.statistics![1]!.sd);
  expect(parsed.dictionary.map((column: { name: string }) => column.name)).toContain("share:50_low");
});

test("GeoJSON has closed, counter-clockwise hexagons with the row as properties, and is refused without hexagons", () => {
  const result = sampleResult({ cells: 7, centre: [0, 179.99], resolution: 5 });
  const parsed = JSON.parse(releaseGeoJson(result));
  expect(parsed).toMatchObject({ type: "FeatureCollection", veilgrid: { format: "veilgrid-release/1" } });
  expect(parsed.features).toHaveLength(7);
  const kinds = new Set<string>();
  for (const { geometry, properties, id } of parsed.features) {
    kinds.add(geometry.type);
    expect(properties.grid).toBe(id);
    expect(properties.mean).toBeTypeOf("number");
    const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
    for (const [ring] of polygons as Array<Array<Array<[number, number]>>>) {
      expect(ring!.at(-1)).toEqual(ring![0]);
      const twiceArea = ring!
        .slice(1)
        .reduce((sum, [x, y], index) => sum + ring![index]![0] * y - x * ring![index]![1], 0);
      expect(twiceArea).toBeGreaterThan(0);
      for (const [longitude] of ring!) expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
    }
  }
  expect(kinds).toEqual(new Set(["Polygon", "MultiPolygon"]));
  expect(() => releaseGeoJson(sampleResult({ ids: ["a"], by: ["shop"] }))).toThrow(
    expect.objectContaining({ code: "USAGE" }),
  );
});

test("a grid without a place is a feature without geometry, and no hexagon of the map", () => {
  const result = sampleResult({ cells: 2 });
  const rows = [
    { ...result.rows[0]!, grid: "%null" },
    { ...result.rows[1]!, grid: "nonsense" },
  ];
  const parsed = JSON.parse(releaseGeoJson({ ...result, rows }));
  expect(parsed.features.map((feature: { geometry: unknown }) => feature.geometry)).toEqual([null, null]);
  expect(releaseHtml({ ...result, rows })).not.toContain('class="vg-map');
});

const HTML_CASES: Array<[string, ReleaseResult]> = [
  ["hexagons", sampleResult({ cells: 19, empty: [3] })],
  [
    "slots and all statistics",
    sampleResult({ cells: 7, statistics: ALL, slots: ["2016-12-16T09:00+05:30", "2016-12-16T10:00+05:30"] }),
  ],
  ["hostile ids", sampleResult({ ids: HOSTILE, by: ["<b>shop</b>"], dataset: "<script>x</script>" })],
  ["no rows", { ...sampleResult(), rows: [] }],
  ["no statistic anywhere", sampleResult({ cells: 1, empty: [0] })],
  ["centred statistics", sampleResult({ cells: 7, statistics: ALL, estimator: "centred", empty: [2, 3] })],
  ["emptied grids alone", sampleResult({ cells: 2, statistics: ALL, estimator: "centred", empty: [0, 1] })],
  ["no partition", { ...sampleResult({ ids: ["a", "b"], by: ["x"] }), partition: {} }],
];

test.each(HTML_CASES)("HTML of %s is one file that loads nothing", (_, result) => {
  const html = releaseHtml(result);
  expect(html).not.toMatch(/https?:|\/\/[a-z]|url\(|@import|<link|<iframe|<img|<[a-z][^<>]*\s(src|srcset|on[a-z]+)=/i);
  expect(html).toContain("default-src 'none'");
  expect([...html.matchAll(/<script/gi)]).toHaveLength(1);
  expect(html).not.toMatch(/NaN|undefined|Infinity|\[object/);
  expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  expect(html).not.toContain("NOT PRIVATE");
  for (const tag of ["section", "table", "figure", "div", "svg", "dl", "ul", "g", "p"])
    expect([tag, [...html.matchAll(new RegExp(`<${tag}[ >]`, "g"))].length]).toEqual([
      tag,
      [...html.matchAll(new RegExp(`</${tag}>`, "g"))].length,
    ]);
});

test("the page has a map, a switch and a slot selector where there is something to choose", () => {
  const html = releaseHtml(HTML_CASES[1]![1]);
  expect(html).toContain('id="measure-1"');
  expect(html).toContain('<select id="layer">');
  expect(html).toContain("How far can I trust this?");
  expect(releaseHtml(HTML_CASES[2]![1])).not.toContain('class="vg-map');
});

test("ten thousand grids make a file that opens: all on the map, 500 in the table, 60 in a chart", () => {
  const html = releaseHtml(sampleResult({ cells: 10_000, resolution: 8 }));
  expect(html.length).toBeLessThan(8_000_000);
  expect([...html.matchAll(/class="vg-hex"/g)]).toHaveLength(10_000);
  expect([...html.matchAll(/class="vg-whisker"/g)]).toHaveLength(120);
  expect(html).toContain("The first 500 of 10,000 grids");
});

test("NOT PRIVATE stands at the top of every format", () => {
  const result = sampleResult({ cells: 3, notPrivate: true });
  const warning = "NOT PRIVATE: noise from a known seed";
  const [head, ...body] = readCsv(releaseCsv(result));
  expect(head![0]).toBe("warning");
  for (const row of body) expect(row[0]).toBe(warning);
  for (const json of [releaseJson(result), releaseGeoJson(result), privacyStatementJson(result)])
    expect(Object.entries(JSON.parse(json))[0]).toEqual(["warning", warning]);
  for (const markdown of [privacyStatement(result), dataDictionary(result)])
    expect(markdown.split("\n")[0]).toContain(warning);
  const html = releaseHtml(result);
  expect(html).toMatch(/<body>\s*<div class="banner" role="alert">NOT PRIVATE/);
  expect(html).not.toContain("whose values are protected");
});

test.each([
  [
    sampleResult({ missing: "drop" }),
    "Missingness|at most 85.0 % of the time|1.734210000000000123|in every grid at once|sha256 3f9a5c|veilgrid 0.1.0|9.0000",
    "without a user",
  ],
  [sampleResult(), "dwell time, about 1/speed", "Missingness"],
  [sampleResult({ emptyUser: "one" }), "Records without a user were counted as those of one user.", "were left out."],
  [sampleResult({ emptyUser: "drop" }), "Records without a user were left out.", "as those of one user"],
])("the statement says what is protected and what became of incomplete records: case %#", (result, present, absent) => {
  for (const words of present.split("|")) expect(privacyStatement(result)).toContain(words);
  expect(privacyStatement(result)).not.toContain(absent);
});

test("every format says which estimator was used and what it does with what was left out", () => {
  const options = { cells: 4, statistics: ALL, empty: [2] };
  const [kept, centred] = (["kept", "centred"] as const).map((estimator) => sampleResult({ ...options, estimator }));
  const leans = "Where much was left out it leans towards that half";
  const emptied =
    "No record was kept in 1 grid: what is published there is the middle of what is possible, without noise, and says nothing about the data.";
  for (const text of [privacyStatement(centred!), privacyStatementJson(centred!), releaseHtml(centred!)]) {
    for (const words of [
      "counts as the middle of what it could be (estimator: centred)",
      "held to what the kept number of them could reach",
      leans,
      "half of the records that were left out count as above the threshold",
      "spread evenly over the bins",
      emptied,
    ])
      expect(text).toContain(words);
  }
  for (const text of [privacyStatement(kept!), privacyStatementJson(kept!), releaseHtml(kept!)]) {
    expect(text).toContain("as if there were no others (estimator: kept)");
    expect(text).not.toContain(leans);
    expect(text).not.toContain(emptied);
  }
  expect(dataDictionary(kept!)).toContain("Statistics are empty where no record was kept.");
  expect(dataDictionary(centred!)).toContain("Where no record was kept, statistics are the middle of what is possible");
  expect(dataDictionary(centred!)).toContain("leaning towards an offset where records were left out");
  expect(releaseHtml(kept!)).toContain("No record was kept in 1 grid: no statistic there.");
  for (const result of [kept!, centred!]) {
    expect(JSON.parse(releaseJson(result))).toMatchObject({
      estimator: result.estimator,
      privacy: { identity: { estimator: result.estimator } },
    });
    expect(releaseHtml(result)).toContain("of 4; the others have no kept record");
    expectSameInCsv(result);
  }
});

test("where everything was kept, nothing is said about what was left out", () => {
  const result = sampleResult({ cells: 2, estimator: "centred" });
  const rows = result.rows.map((row) => ({ ...row, kept: row.samples }));
  expect(privacyStatement(result)).toContain("estimator: centred");
  expect(privacyStatement({ ...result, rows })).not.toContain("estimator: centred");
  expect(releaseHtml({ ...result, rows })).not.toContain("A variance that leans");
});

test("a guess is rounded up and never said to be certain below 100 %", () => {
  expect(["0", "1", "2", "10", "20"].map((loss) => guessPercent(parseDecimal(loss)))).toEqual([
    "50.0",
    "73.2",
    "88.1",
    "99.996",
    "100",
  ]);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 15_000 }), (thousandths) => {
      const said = Number(guessPercent(Rational.of(thousandths, 1000)));
      expect(said).toBeGreaterThanOrEqual(100 / (1 + Math.exp(-thousandths / 1000)) - 1e-9);
      expect(said).toBeLessThan(100);
    }),
  );
});

test("hostile names cannot break out of a Markdown table", () => {
  const lines = dataDictionary(sampleResult({ ids: ["a"], by: ["a|b`c\n<x>"] })).split("\n");
  const row = lines.find((line) => line.includes("c\\\\u000a"))!;
  expect(row.replaceAll("\\|", "").match(/\|/g)).toHaveLength(6);
  expect(row).not.toContain("<x>");
});
