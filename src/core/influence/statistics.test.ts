/** The list of statistics: nothing lies beside it, names are as files are, and what people are told follows from it. */
import { readdirSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { everyStatistic, givenOf, referenceOf } from "../../../test/support/statistic-references.ts";
import { Rational, sum } from "../arithmetic/index.ts";
import { ESTIMATORS, parseBounds, parseStatistic, STATISTICS, statisticsHelp } from "./index.ts";

const namesIn = (folder: string): string[] =>
  readdirSync(new URL(folder, import.meta.url)).map((file) => file.replace(/\.ts$/, ""));

test("every file in statistics/ is in the list under its own name, and so is every reference", () => {
  const names = STATISTICS.map(({ name }) => name).sort();
  expect(namesIn("./statistics/").sort()).toEqual(names);
  expect(namesIn("../../../test/references/").sort()).toEqual(names);
});

test("help and messages name them all", () => {
  expect(statisticsHelp()).toContain(
    "mean, variance, sum, share:T (of values above T), histogram:E/E (shares of the bins between edges)",
  );
  const refused = (key: string) => () => parseStatistic(key, parseBounds("0,1"));
  expect(refused("median")).toThrow(/ is unknown; use mean, variance, sum, share:THRESHOLD.* or [a-z-]+/);
  for (const { name, argument } of STATISTICS) {
    expect(statisticsHelp()).toContain(name);
    expect(refused("median")).toThrow(argument === null ? name : `${name}:${argument.long}`);
    expect(refused(argument === null ? `${name}:1` : name)).toThrow(/is unknown/);
  }
});

describe.each(ESTIMATORS)("%s", (estimator) => {
  const bounds = parseBounds("-3,62");
  const every = everyStatistic(bounds, { places: ["0.5", "10", "20"], estimator });

  test.each(every.map((each) => [each.key, each] as const))("%s is of one piece", (key, statistic) => {
    expect(statistic).toMatchObject({ estimator, key });
    expect(statistic.kind.name).toBe(key.split(":", 1)[0]);
    expect(statistic.dataFreeValue(5)).toHaveLength(statistic.coordinates);
    expect(statistic.bins?.names ?? [""]).toHaveLength(statistic.coordinates);
    for (const bin of statistic.bins?.names ?? [""]) {
      const { label, short, meaning } = statistic.words;
      for (const text of [label("speed", bin), short(bin), meaning(bin)]) expect(text).toMatch(/\S/);
      expect(label("speed", bin)).toMatch(/^[A-Z].*speed/);
    }
  });
});

test("rounding values to a lattice moves no statistic further than it says; those that count, count rounded values", () => {
  const bounds = parseBounds("-3,5");
  const step = Rational.of(1, 2);
  const parts = fc.array(fc.integer({ min: 0, max: 512 }), { minLength: 1, maxLength: 6 });
  for (const statistic of everyStatistic(bounds, { places: ["1"] }).filter(({ cuts }) => cuts.length === 0)) {
    const of = (values: readonly Rational[]): Rational[] =>
      referenceOf(statistic).of(values, givenOf(statistic, bounds));
    let furthest = Rational.ZERO;
    fc.assert(
      fc.property(parts, (places) => {
        const values = places.map((place) => bounds.lower.add(Rational.of(place, 64)));
        const rounded = places.map((place) =>
          bounds.lower.add(step.multiply(Rational.of(Math.floor(place / 32 + 0.5)))),
        );
        const exact = of(values);
        const moved = sum(of(rounded).map((number, at) => number.subtract(exact[at]!).absolute()));
        const claimed = statistic.latticeError(step, places.length);
        expect(moved.compare(claimed), statistic.key).toBeLessThanOrEqual(0);
        if (moved.divide(claimed).compare(furthest) > 0) furthest = moved.divide(claimed);
      }),
      { examples: [[[16]], [[495]], [[16, 495]]] },
    );
    // And the claim is no exaggeration.
    expect(furthest.compare(Rational.of(1, 2)), statistic.key).toBe(1);
  }
});
