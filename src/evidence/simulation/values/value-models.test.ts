/** Invented values lie in the range, come from the seed, and are what their model says. */
import { describe, expect, test } from "vitest";
import { occupancyFromTriples } from "../../../core/occupancy/index.ts";
import { simulateValues, VALUE_MODELS } from "./value-models.ts";

const occupancy = occupancyFromTriples([
  ["ada", "north", 400],
  ["ada", "south", 300],
  ["ben", "north", 40],
  ["cy", "south", 3],
]);

describe.each(VALUE_MODELS)("$name", (model) => {
  test("fills every record with a value of the range, the same for the same seed", () => {
    const { value, start } = simulateValues(occupancy, model, 3);
    expect(value.length).toBe(743);
    expect(Array.from(start)).toEqual([0, 400, 700, 740, 743]);
    expect(Math.min(...value)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...value)).toBeLessThanOrEqual(1);
    expect(simulateValues(occupancy, model, 3).value).toEqual(value);
    expect(simulateValues(occupancy, model, 4).value).not.toEqual(value);
  });
});

test("models differ in what they say they differ in", () => {
  const averages = (name: string): number[] => {
    const { value, start } = simulateValues(occupancy, VALUE_MODELS.find((model) => model.name === name)!, 5);
    return Array.from({ length: 4 }, (_, entry) => {
      const own = value.slice(start[entry], start[entry + 1]);
      return own.reduce((left, right) => left + right, 0) / own.length;
    });
  };
  const [adaNorth, adaSouth, benNorth] = averages("users differ") as [number, number, number];
  expect(adaNorth).toBeCloseTo(adaSouth, 1);
  expect(Math.abs(adaNorth - benNorth)).toBeGreaterThan(0.05);
  const heavy = averages("heavy users differ");
  expect(heavy[0]!).toBeLessThan(heavy[2]! - 0.2);
  expect(Math.max(...averages("one end"))).toBeLessThan(0.2);
  expect(averages("anywhere")[0]!).toBeCloseTo(0.5, 1);
});
