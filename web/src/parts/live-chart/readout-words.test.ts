/** Tests words and places of a chart's readout. */
import { expect, test } from "vitest";
import type { ChartLine } from "../../../../src/publish/charts/index.ts";
import { besidePointer, nearest, readingText, spokenReadout, spreadText } from "./readout-words.ts";

const line = { label: "baseline" } as ChartLine;

test("a reading between points says so, and a missing one is a dash", () => {
  expect(readingText({ line, y: 1234.5, exact: true })).toBe("1,235");
  expect(readingText({ line, y: 0.12345, exact: false })).toBe("≈ 0.123");
  expect(readingText({ line, y: null, exact: false })).toBe("–");
  expect(spreadText({ line, y: 2, low: 1, high: 3, exact: true })).toBe("1 … 3");
  expect(spreadText({ line, y: 2, low: 2, high: 2, exact: true })).toBeNull();
  expect(spokenReadout("ε per grid", 0.5, [{ line, y: 2, exact: false }])).toBe("ε per grid 0.5. baseline: about 2.");
});

test("the nearest place by pixels, not by value", () => {
  const log = (value: number): number => 100 * Math.log10(value);
  expect(nearest([1, 10, 100], log, 140)).toBe(10);
  expect(nearest([1, 10, 100], log, 160)).toBe(100);
  expect(nearest([], log, 0)).toBeNull();
});

test("a tooltip is beside the pointer and always inside", () => {
  const size = { own: 100, room: 300, gap: 12 };
  expect(besidePointer(50, size)).toBe(62);
  expect(besidePointer(250, size)).toBe(138);
  expect(besidePointer(60, { own: 280, room: 300, gap: 12 })).toBe(0);
});
