/** Losses per user are exact to the last unit, whatever their size. */
import { expect, test } from "vitest";
import { parseDecimal } from "../arithmetic/index.ts";
import { toLossParts, UserLosses } from "./user-losses.ts";

const unitsOf = (text: string): bigint => parseDecimal(text).multiply(parseDecimal("1e18")).floorToInteger();

test("many small and large parts add up exactly, with carries", () => {
  const losses = new UserLosses(1);
  for (let round = 0; round < 1000; round++) losses.add(0, toLossParts(unitsOf("999.999999999999999999")));
  expect(losses.of(0).toString()).toBe("999999.999999999999999");
  for (let round = 0; round < 200; round++) losses.add(0, toLossParts(unitsOf("1000000")));
  expect(losses.of(0).toString()).toBe("200999999.999999999999999");
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
