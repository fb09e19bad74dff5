/** Losses per user are exact to the last unit, whatever their size. */
import { expect, test } from "vitest";
import { parseDecimal } from "../arithmetic/index.ts";
import { toLossParts, UserLosses } from "./loss.ts";

const unitsOf = (text: string): bigint => parseDecimal(text).multiply(parseDecimal("1e18")).floorToInteger();

test("many small and large parts add up exactly, with carries", () => {
  const losses = new UserLosses(1);
  for (let round = 0; round < 1000; round++) losses.add(0, toLossParts(unitsOf("999.999999999999999999")));
  expect(losses.of(0).toString()).toBe("999999.999999999999999");
  expect(losses.largest()).toEqual(losses.of(0));
  for (let round = 0; round < 200; round++) losses.add(0, toLossParts(unitsOf("1000000")));
  expect(losses.of(0).toString()).toBe("200999999.999999999999999");
});

test.each([
  ["0.000000999999999999", "0.01999999999998"],
  ["0.000000000000000001", "0.00000000000002"],
])("20,000 times %s is %s, though the last digits alone add up beyond exact doubles", (part, total) => {
  const losses = new UserLosses(1);
  for (let round = 0; round < 20_000; round++) losses.add(0, toLossParts(unitsOf(part)));
  expect(losses.of(0).toString()).toBe(total);
});

test("a loss beyond exact doubles is a mistake of ours", () => {
  const losses = new UserLosses(1);
  losses.add(0, toLossParts(unitsOf("1e10")));
  expect(() => losses.of(0)).toThrow(/above 9·10⁹/);
});

test("the largest of nobody's losses is 0", () => {
  expect(new UserLosses(0).largest()).toEqual(parseDecimal("0"));
});

test("the largest is that with the largest upper part, then the largest lower one, in any order", () => {
  const ascending = ["0.0000009", "0.0000101", "0.0000109", "0.000011", "0.0000112"];
  for (const order of [ascending, ascending.toReversed(), ["0.0000109", "0.0000112", "0.0000101", "0.000011"]]) {
    const losses = new UserLosses(order.length);
    for (const [user, text] of order.entries()) losses.add(user, toLossParts(unitsOf(text)));
    expect(losses.largest().toString()).toBe("0.0000112");
  }
  const losses = new UserLosses(2);
  losses.add(0, toLossParts(unitsOf("0.0000109")));
  losses.add(1, toLossParts(unitsOf("0.0000101")));
  expect(losses.largest().toString()).toBe("0.0000109");
});

test("the largest is found among losses that doubles cannot tell apart, wherever it stands", () => {
  const near = ["1.000000000000000000", "1.000000000000000001", "1.000000000000000002"];
  for (const order of [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0],
  ]) {
    const losses = new UserLosses(3);
    for (const [user, which] of order.entries()) losses.add(user, toLossParts(unitsOf(near[which]!)));
    expect(losses.largest()).toEqual(parseDecimal(near[2]!));
  }
});
