/** Tests that text from others keeps its direction to itself wherever ids are put together. */
import { expect, test } from "vitest";
import { isolateText } from "./isolate-text.ts";
import { gridText } from "./map/grid-name.tsx";
import { readable } from "./pages/ledger/history.ts";
import { gridName, gridNames } from "./pages/published/released.ts";

const SHOP = "חנות 7";
const SET_OFF = `\u2068${SHOP}\u2069`;

test.each(["north", "Köln", "北 7", "88754e6499fffff", "", "+05:30"])("%j stays as it is", (text) => {
  expect(isolateText(text)).toBe(text);
});

test.each([SHOP, "محل", "a محل b", "\u{1e900}"])("%j is set off", (text) => {
  expect(isolateText(text)).toBe(`\u2068${text}\u2069`);
});

test("marks of direction are shown and cannot end the isolation", () => {
  expect(isolateText("\u202eevil")).toBe("\\u202eevil");
  expect(isolateText(`${SHOP}\u2069\u202e1`)).toBe(`\u2068${SHOP}\\u2069\\u202e1\u2069`);
});

test("each part of a grid by itself, so that parts stay in their order", () => {
  const id = `${SHOP}/מרכז/2016-12-16T09:00Z`;
  expect(gridText(id).split(" · ").slice(0, 2)).toEqual([SET_OFF, "\u2068מרכז\u2069"]);
  expect(gridName(id).split(" · ").slice(0, 2)).toEqual([SET_OFF, "\u2068מרכז\u2069"]);
  expect(gridNames([`${SHOP}/a`, `${SHOP}/b`])).toMatchObject({ common: SET_OFF });
});

test("keys of releases in the ledger's sentences", () => {
  expect(readable(`'${SHOP}': 6 reserved, 9 users charged up to 0.5`)).toBe(
    `'${SET_OFF}': 6 reserved, 9 users charged up to 0.5`,
  );
});
