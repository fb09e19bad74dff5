/** The canonical result: what was written is read back as it was, and nothing else is read at all. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sampleResult } from "../../../test/support/sample-result.ts";
import { Rational } from "../../core/arithmetic/index.ts";
import {
  gridText,
  headerText,
  RESULT_FORMAT,
  type ReleasedGrid,
  type ReleaseHeader,
  type ReleaseResult,
  readHeader,
  readResult,
  resultText,
} from "./result.ts";

const text = fc.string({ unit: "binary", maxLength: 12 });
const count = fc.nat(2 ** 31 - 1);
const exact = fc
  .tuple(fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n }), fc.bigInt({ min: 1n, max: 2n ** 70n }))
  .map(([numerator, denominator]) => Rational.of(numerator, denominator));

const headers: fc.Arbitrary<ReleaseHeader> = fc.record({
  tool: text,
  dataset: text,
  key: text,
  reservedAt: fc.constant("2026-11-16T05:00:00.000Z"),
  notPrivate: fc.boolean(),
  plan: text,
  occupancy: text,
  bounds: fc.tuple(exact, exact),
  latticeStep: exact,
  statistics: fc.array(text, { maxLength: 4 }),
  estimator: text,
  strategy: text,
  epsilon: fc.option(exact),
  partition: fc.constantFrom({}, { user: "ünü", by: 'a","b', missing: "refuse" }),
  users: count,
  grids: count,
  samples: count,
  loss: exact,
  lossSimple: exact,
});

const grids: fc.Arbitrary<ReleasedGrid> = fc.record({
  grid: text,
  users: count,
  samples: count,
  kept: count,
  statistics: fc.option(
    fc.array(
      fc.record({
        steps: fc.array(fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }), { minLength: 1, maxLength: 4 }),
        stepExponent: fc.integer({ min: -200, max: 200 }),
        deltaSteps: fc.bigInt({ min: 0n, max: 2n ** 60n }),
        epsilon: exact,
        scale: exact,
        bias: exact,
        latticeError: exact,
      }),
      { maxLength: 3 },
    ),
  ),
});

function write({ rows, ...header }: ReleaseResult): string {
  return resultText(headerText(header), rows.map(gridText));
}

/** What balanced plans add to headers and grids. */
const weightedHeaders: fc.Arbitrary<ReleaseHeader> = fc
  .tuple(headers, fc.record({ users: exact, records: exact, trend: exact }), fc.constantFrom(1 as const, 2 as const))
  .map(([header, spread, passes]) => ({ ...header, spread, passes }));
const weightedGrids: fc.Arbitrary<ReleasedGrid> = fc
  .tuple(
    grids,
    fc.record({
      centre: exact,
      distance: fc.option(exact),
      features: fc.array(
        fc.record({
          key: text,
          steps: fc.array(fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }), { minLength: 1, maxLength: 4 }),
          stepExponent: fc.integer({ min: -200, max: 200 }),
          scale: exact,
          bias: exact,
          modelError: exact,
          window: fc.option(fc.tuple(exact, exact)),
        }),
        { maxLength: 3 },
      ),
    }),
  )
  .map(([grid, weighted]) => ({ ...grid, statistics: null, weighted }));

describe("round trips", () => {
  test("of a header", () => {
    fc.assert(
      fc.property(headers, (header) => {
        const written = headerText(header);
        expect(readHeader(written)).toEqual(header);
        expect(headerText(readHeader(written))).toBe(written);
        expect(written).not.toContain("\n");
      }),
    );
  });

  test("of a whole result, also with grids where nothing is kept and with no grids", () => {
    fc.assert(
      fc.property(headers, fc.array(grids, { maxLength: 4 }), (header, rows) => {
        const result: ReleaseResult = { ...header, rows };
        const written = write(result);
        expect(readResult(written)).toEqual(result);
        expect(write(readResult(written))).toBe(written);
      }),
    );
  });

  test("of a balanced plan's result", () => {
    fc.assert(
      fc.property(weightedHeaders, fc.array(weightedGrids, { maxLength: 4 }), (header, rows) => {
        const result: ReleaseResult = { ...header, rows };
        const written = write(result);
        expect(readResult(written)).toEqual(result);
        expect(write(readResult(written))).toBe(written);
      }),
    );
  });

  test("of other results: nothing in them speaks of weights, passes or a model", () => {
    const written = write(sampleResult());
    for (const word of ["weighted", "passes", "spread"]) expect(written).not.toContain(word);
  });

  test("of a believable release", () => {
    const result = sampleResult({ statistics: ["mean", "histogram:10/20"], empty: [2], notPrivate: true });
    expect(readResult(write(result))).toEqual(result);
  });
});

test("the bytes are JSON of one line, with the texts of header and grids as they were", () => {
  const { rows, ...header } = sampleResult({ cells: 2 });
  const texts = rows.map(gridText);
  const whole = resultText(headerText(header), texts);
  expect(whole).toMatch(/^[^\n]+\n$/);
  expect(Object.keys(JSON.parse(whole))[0]).toBe("format");
  expect(JSON.parse(whole)).toEqual({ ...JSON.parse(headerText(header)), rows: texts.map((each) => JSON.parse(each)) });
  for (const each of texts) expect(whole).toContain(each);
});

test("replayed noise is told in words, and only it", () => {
  const { rows: _, ...header } = sampleResult();
  expect(JSON.parse(headerText({ ...header, notPrivate: true }))).toMatchObject({
    warning: "NOT PRIVATE: noise from a known seed",
    notPrivate: true,
  });
  expect(JSON.parse(headerText({ ...header, notPrivate: false }))).not.toHaveProperty("warning");
  expect(readHeader(headerText({ ...header, notPrivate: true }))).toEqual({ ...header, notPrivate: true });
});

describe("what is no result is refused as INPUT_MALFORMED", () => {
  const { rows, ...header } = sampleResult({ cells: 1 });
  const sound = resultText(headerText(header), rows.map(gridText));
  /** What is undefined goes away. */
  const changed = (fields: object): string => JSON.stringify({ ...JSON.parse(sound), ...fields });
  const withStatistic = (fields: object): string => {
    const [row] = JSON.parse(sound).rows;
    return changed({ rows: [{ ...row, statistics: [{ ...row.statistics[0], ...fields }] }] });
  };
  const malformed: ReadonlyArray<readonly [what: string, text: string]> = [
    ["nothing", ""],
    ["null", "null"],
    ["a list", "[]"],
    ["an empty object", "{}"],
    ["half of it", sound.slice(0, sound.length / 2)],
    ["two of it", sound + sound],
    ["another format", sound.replace(RESULT_FORMAT, "veilgrid-result/2")],
    ["a plain number where an exact one belongs", changed({ loss: 1.5 })],
    ["an exact number that is none", changed({ epsilon: "one" })],
    ["a division by zero", changed({ epsilon: "1/0" })],
    ["no bounds", changed({ bounds: undefined })],
    ["half of the bounds", changed({ bounds: ["0"] })],
    ["no rows", changed({ rows: undefined })],
    ["rows that are none", changed({ rows: { length: 1 } })],
    ["steps with a fraction", withStatistic({ steps: ["1.5"] })],
    ["steps that are no list", withStatistic({ steps: "12" })],
    ["no scale", withStatistic({ scale: undefined })],
    ["a scale that is no number", withStatistic({ scale: "NaN" })],
    ["weights without features", changed({ rows: [{ weighted: { centre: "1", distance: null } }] })],
  ];

  test("though the same with nothing changed is read", () => {
    expect(readResult(changed({})).rows).toEqual(rows);
    expect(readResult(withStatistic({})).rows).toHaveLength(1);
  });

  test.each(malformed)("%s", (_, given) => {
    expect(() => readResult(given)).toThrowError(expect.objectContaining({ code: "INPUT_MALFORMED" }));
  });

  test("and so is a header that is none; the message quotes nothing of it", () => {
    for (const given of ["", "null", "{}", headerText(header).replace('"0"', '"secret"')])
      expect(() => readHeader(given)).toThrowError(
        expect.objectContaining({
          code: "INPUT_MALFORMED",
          message: "the text is no result of a release in its canonical form",
        }),
      );
  });
});
