/** Tests that places survive the way to an address and back. */
import { expect, test } from "vitest";
import { hrefOf, type Place, parseRoute } from "./router.ts";

test.each<Place>([
  { page: "home" },
  { page: "add" },
  { page: "paper", figure: null },
  { page: "paper", figure: "paper-loss-gamma-3" },
  { page: "dataset", dataset: "city", tab: "plan" },
  { page: "dataset", dataset: "a/b?c#d %", tab: "published" },
])("there and back: %o", (place) => {
  const { place: found, query } = parseRoute(hrefOf(place, { loss: "0.5", grid: "a&b" }));
  expect(found).toEqual(place);
  expect(Object.fromEntries(query)).toEqual({ loss: "0.5", grid: "a&b" });
});

test.each(["", "#", "#/nowhere", "#/d", "#/%", "#code=vg_x"])("anything else is home: %s", (hash) => {
  expect(parseRoute(hash).place).toEqual({ page: "home" });
});

test("an unknown page of a dataset is its first", () => {
  expect(parseRoute("#/d/city/magic").place).toEqual({ page: "dataset", dataset: "city", tab: "data" });
});
