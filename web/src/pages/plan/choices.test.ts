/** Tests that choices survive the way to an address and back, and that nonsense in an address is harmless. */
import { expect, test } from "vitest";
import { askedOf, type Choices, choicesOf, queryOf } from "./choices.ts";

const defaults = { statistics: "mean", loss: "1" };

test.each<Partial<Choices>>([
  {},
  { loss: "0.35" },
  { goal: "error", error: "2.5" },
  { statistics: "mean,variance", estimator: "kept", strategy: "clip-user", map: "dropped", grid: "87/2026 & more" },
])("there and back: %o", (changes) => {
  const choices = { ...choicesOf(new URLSearchParams(), defaults), ...changes };
  const address = new URLSearchParams(queryOf(choices, defaults)).toString();
  expect(choicesOf(new URLSearchParams(address), defaults)).toEqual(choices);
});

test.each([
  "loss=-1",
  "loss=1e9",
  "loss=abc&strategy=magic",
  "error=0&map=x",
  "loss=",
])("nonsense is left out: %s", (address) => {
  const { loss, strategy, map } = choicesOf(new URLSearchParams(address), defaults);
  expect([loss, strategy, map]).toEqual(["1", "frontier", "error"]);
});

test("one statistic is measured in its unit, several as shares of midpoints", () => {
  const choices = choicesOf(new URLSearchParams("loss=0.5"), defaults);
  expect(askedOf(choices, "0,65")).toEqual({
    settings: { bounds: "0,65", statistics: "mean", estimator: "centred", metric: "sum" },
    strategy: "frontier",
    goal: { kind: "loss", value: "0.5" },
  });
  expect(askedOf({ ...choices, statistics: "mean,variance" }, "0,65").settings.metric).toBe("relative");
});
