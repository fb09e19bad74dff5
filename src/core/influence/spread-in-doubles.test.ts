/** The variance's influence in doubles against exact rationals, and the lines below it: never above, and where the lemma says so as high as can be. */
import { expect, test } from "vitest";
import { Rational } from "../arithmetic/index.ts";
import { spreadBiasSlope, spreadInfluence, spreadNoiseFloor, spreadNoiseSlope } from "./error-model.ts";
import { shapeValue, spreadShape } from "./shape.ts";

const MOST = 40;
const ROUNDING = 1e-14;

const exact = (owned: number, total: number): number => shapeValue(spreadShape, owned, total).toNumberNearest();

/** Every grid of up to 40 records with a user who owns so many of them. */
function* grids(): Generator<{ owned: number; total: number }> {
  for (let total = 1; total <= MOST; total++) for (let owned = 1; owned <= total; owned++) yield { owned, total };
}

test("doubles are next to the exact influence, none included", () => {
  for (const { owned, total } of grids()) expect(spreadInfluence(owned, total)).toBeCloseTo(exact(owned, total), 14);
  expect(spreadInfluence(0, 5)).toBe(0);
});

test("the line below the noise stays below it for whoever leaves, as long as the heaviest user stays", () => {
  for (const { owned, total } of grids()) {
    const [floor, slope] = [spreadNoiseFloor(owned, total), spreadNoiseSlope(owned, total)];
    for (let gone = 0; gone <= Math.min(owned, total - owned); gone++)
      expect(exact(owned, total - gone), `${owned} of ${total} without ${gone}`).toBeGreaterThanOrEqual(
        floor + gone * slope - ROUNDING,
      );
  }
});

test("with a quarter or less owned by one user it is the tangent: it begins at the influence and rises as that does", () => {
  let tangents = 0;
  for (const { owned, total } of grids()) {
    if (total < 4 * owned) continue;
    expect(spreadNoiseFloor(owned, total)).toBeCloseTo(exact(owned, total), 14);
    // −φ′(k) of φ(k) = Γ/k − Γ²/k².
    const slope = Rational.of(owned, total * total).subtract(Rational.of(2 * owned * owned, total ** 3));
    expect(spreadNoiseSlope(owned, total)).toBeCloseTo(slope.toNumberNearest(), 14);
    tangents += 1;
  }
  expect(tangents).toBeGreaterThan(100);
});

test("with more than a quarter it is flat, and no further below the least influence than one odd total makes it", () => {
  for (const { owned, total } of grids()) {
    if (total >= 4 * owned) continue;
    expect(spreadNoiseSlope(owned, total)).toBe(0);
    const later = Array.from({ length: total - owned + 1 }, (_, gone) => exact(owned, total - gone));
    const least = Math.min(...later);
    expect(spreadNoiseFloor(owned, total)).toBeLessThanOrEqual(least + ROUNDING);
    expect(spreadNoiseFloor(owned, total), `${owned} of ${total}`).toBeGreaterThanOrEqual(
      least - 1 / (4 * owned * owned) - ROUNDING,
    );
  }
});

test("the line below the bias is the chord: it meets the bias where the most are gone and lies below it before", () => {
  for (const { owned: most, total } of grids()) {
    for (let dropped = 0; dropped + most <= total; dropped++) {
      const slope = spreadBiasSlope(dropped, total, most);
      const [now, last] = [exact(dropped, total), exact(dropped + most, total)];
      expect(now + most * slope, `${dropped} and ${most} of ${total}`).toBeCloseTo(last, 13);
      for (let gone = 1; gone < most; gone++)
        expect(exact(dropped + gone, total)).toBeGreaterThanOrEqual(now + gone * slope - ROUNDING);
    }
  }
});
