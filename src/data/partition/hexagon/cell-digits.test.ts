/** Holds the tables of digits to the geometry they stand for. */
import { expect, test } from "vitest";
import { AROUND, PAIRS, STEPS, TURNED } from "./cell-digits.ts";
import { CellPath } from "./cell-path.ts";

/** A place as a point of the plane. */
function at([across, up]: readonly [number, number]): { x: number; y: number } {
  return { x: across - up / 2, y: (up * Math.sqrt(3)) / 2 };
}

test("six neighbours, each 60° further than the one before", () => {
  AROUND.forEach((digit, place) => {
    const { x, y } = at(STEPS[digit]! as [number, number]);
    expect(x).toBeCloseTo(Math.cos((place * Math.PI) / 3), 12);
    expect(y).toBeCloseTo(Math.sin((place * Math.PI) / 3), 12);
  });
});

test("turning once six times is not turning", () => {
  for (let digits = 0; digits < 512; digits++) {
    let turned = digits;
    for (let turn = 0; turn < 6; turn++) turned = TURNED[512 + turned]!;
    expect(turned).toBe(digits);
    expect(TURNED[3 * 512 + digits]).toBe(TURNED[2 * 512 + TURNED[512 + digits]!]);
  }
});

test("every two remainders have two digits of their own", () => {
  expect(new Set(PAIRS.map((code) => code & 63)).size).toBe(49);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 14, 15])("digits lead back to the hexagon at resolution %i", (resolution) => {
  const path = new CellPath(resolution);
  const farthest = Math.floor(2 * Math.sqrt(7) ** resolution);
  for (let trial = 0; trial < 500; trial++) {
    const across = Math.round(((trial * 0.618034) % 1) * farthest);
    const up = Math.floor(((trial * 0.754878) % 1) * farthest) - Math.floor(farthest / 2);
    path.follow(across, up);
    const { low, high, place } = path.found;
    let x = Math.floor(place / 7) - 3;
    let y = (place % 7) - 3;
    for (let level = 1; level <= resolution; level++) {
      const shift = 3 * (15 - level);
      const digit = shift >= 27 ? (high >> (shift - 27)) & 7 : (low >> shift) & 7;
      const [stepAcross, stepUp] = STEPS[digit]!;
      // 7 times as many hexagons, turned by 19.1°: one way at odd resolutions, the other at even ones.
      [x, y] = level % 2 === 1 ? [2 * x + y, -x + 3 * y] : [3 * x - y, x + 2 * y];
      x += stepAcross;
      y += stepUp;
    }
    expect([x, y]).toEqual([across, up]);
  }
});
