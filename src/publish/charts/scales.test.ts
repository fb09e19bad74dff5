/** Tests that numbers along an axis are round, plain, apart, and few where there is little room. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { axisTicks, logTicks, niceStep, plainNumber, ticks } from "./scales.ts";

const always = { pixels: 600, fits: () => true };
const atMost = (count: number): Parameters<typeof axisTicks>[2] => ({
  pixels: 600,
  fits: (found) => found.length <= count,
});
const texts = (...[kind, domain, room]: Parameters<typeof axisTicks>): string[] =>
  axisTicks(kind, domain, room).labelled.map(({ text }) => text);

test("plainNumber writes what people write", () => {
  expect([10_000, 1000, 0.002, -0.5, 0, 1e6, 12_345.5, 0.1 + 0.2].map(plainNumber)).toEqual([
    "10,000",
    "1,000",
    "0.002",
    "−0.5",
    "0",
    "1,000,000",
    "12,345.5",
    "0.3",
  ]);
  expect([1e21, 2e-7, -5e9].map(plainNumber)).toEqual(["10²¹", "2 × 10⁻⁷", "−5 × 10⁹"]);
});

test("plainNumber loses nothing of twelve digits", () => {
  fc.assert(
    fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (value) => {
      fc.pre(Math.abs(value) >= 1e-6 && Math.abs(value) < 999_999_999);
      const read = Number(plainNumber(value).replaceAll(",", "").replace("−", "-"));
      expect(read).toBe(Number(value.toPrecision(12)));
    }),
  );
});

test("a logarithmic axis has 1, 2 and 5, then powers of ten, then every so many of them, as there is room", () => {
  expect(texts("log", [0.1, 10], always)).toEqual(["0.1", "0.2", "0.5", "1", "2", "5", "10"]);
  expect(texts("log", [0.1, 10_000], atMost(6))).toEqual(["0.1", "1", "10", "100", "1,000", "10,000"]);
  expect(texts("log", [0.1, 10_000], atMost(3))).toEqual(["1", "100", "10,000"]);
  expect(texts("log", [0.21, 0.4], always).length).toBeGreaterThan(2);
});

test("thin lines stand at the other digits of wide decades, at the powers of narrow ones", () => {
  expect(axisTicks("log", [1, 10], always).minor).toEqual([3, 4, 6, 7, 8, 9]);
  expect(axisTicks("log", [1, 1e6], { ...atMost(4), pixels: 120 }).minor).toEqual([10, 1000, 1e5]);
  expect(axisTicks("linear", [0, 10], always).minor).toEqual([]);
});

test("ticks lie in any domain, no more than fit, and one at least where a round number lies", () => {
  const positive = fc.double({ min: 1e-290, max: 1e290, noNaN: true });
  const kinds = fc.constantFrom<"linear" | "log">("linear", "log");
  fc.assert(
    fc.property(positive, positive, kinds, fc.integer({ min: 1, max: 12 }), (one, other, kind, most) => {
      const domain = [Math.min(one, other), Math.max(one, other)] as const;
      fc.pre(domain[1] / domain[0] > 1.01);
      const { labelled, minor } = axisTicks(kind, domain, atMost(most));
      const room = kind === "log" ? 0.002 : 1e-9;
      for (const value of [...labelled.map((tick) => tick.value), ...minor]) {
        expect(value).toBeGreaterThanOrEqual(domain[0] - room * (kind === "log" ? domain[0] : domain[1]));
        expect(value).toBeLessThanOrEqual(domain[1] * (1 + room));
      }
      expect(labelled.length).toBeLessThanOrEqual(most);
      if (kind === "linear" || domain[1] / domain[0] > 10) expect(labelled.length).toBeGreaterThan(0);
    }),
  );
});

test("ticks are few, round and within the domain", () => {
  fc.assert(
    fc.property(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
      (low, width) => {
        const found = ticks([low, low + width], 5);
        expect(found.length).toBeGreaterThanOrEqual(1);
        expect(found.length).toBeLessThanOrEqual(14);
        for (const tick of found) {
          expect(tick).toBeGreaterThanOrEqual(low - 1e-6 * width - 1e-9 * Math.abs(low));
          expect(tick).toBeLessThanOrEqual(low + width + 1e-6 * width + 1e-9 * Math.abs(low));
        }
      },
    ),
  );
  expect([0.9, 1, 4.9, 70].map(niceStep)).toEqual([0.5, 1, 2, 50]);
});

test("logTicks are round and within the domain, or its ends", () => {
  expect(logTicks([0.1, 5])).toEqual([0.1, 0.2, 0.5, 1, 2, 5]);
  expect(logTicks([0.21, 0.4])).toEqual([0.21, 0.4]);
});
