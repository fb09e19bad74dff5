/** Tests that a recipe is described completely, and nothing beyond it. */
import { expect, test } from "vitest";
import { hexagonWords, RESOLUTIONS } from "../../hexagon-size.ts";
import { slotWords } from "../../slot-words.ts";
import { recipeFacts } from "./recipe-facts.ts";

test("a recipe in words", () => {
  const facts = recipeFacts({
    recipe: { user: "card", value: "speed", lat: "y", lon: "x", h3: "8", time: "t", slot: "1h", minUsers: "25" },
    bounds: "0,65",
    statistics: null,
    unit: "km/h",
  });
  expect(Object.fromEntries(facts.map(({ name, value }) => [name, value]))).toEqual({
    "Whose record": "column card",
    "Protected number": "column speed",
    "Kept between": "0 and 65 km/h",
    Published: "mean, variance",
    Place: "columns y and x",
    Hexagons: "size 8: edges of about 530 m",
    Time: "column t",
    "Time slots": "every hour",
    "Time zone": "UTC",
    "Only grids with": "at least 25 users",
  });
});

test("hexagons that the file has, as they are or made larger", () => {
  const facts = (recipe: Record<string, string>): string[] =>
    recipeFacts({ recipe, bounds: "0,65", statistics: "mean", unit: null })
      .filter(({ name }) => name === "Place" || name === "Hexagons")
      .map(({ value }) => value);
  expect(facts({ cell: "h3" })).toEqual(["column h3", "as the file has them"]);
  expect(facts({ cell: "h3", h3: "7" })).toEqual(["column h3", "size 7: edges of about 1.4 km"]);
  expect(facts({ by: "shop" })).toEqual([]);
});

test.each([
  ["one", "counted as one user"],
  ["drop", "left out"],
])("records without a user: %s", (emptyUser, value) => {
  const facts = recipeFacts({ recipe: { user: "card", emptyUser }, bounds: "0,65", statistics: "mean", unit: null });
  expect(facts).toContainEqual({ name: "Without a user", value });
});

test("slots and sizes in words", () => {
  expect(["15m", "1d", "1w", "90s", "?"].map(slotWords)).toEqual([
    "every 15 minutes",
    "every day",
    "every week",
    "every 90 seconds",
    "?",
  ]);
  expect(RESOLUTIONS).toHaveLength(16);
  expect(hexagonWords(7)).toBe("edges of about 1.4 km");
  expect(hexagonWords("16")).toBeUndefined();
});
