/** A double that adds and multiplies as rationals do, for formulas that serve both. */
import type { Rational } from "../../../core/arithmetic/index.ts";
import type { Numbers } from "../../../core/influence/index.ts";

export class Double implements Numbers<Double> {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }

  static of(value: Rational | number): Double {
    return new Double(typeof value === "number" ? value : value.toNumberNearest());
  }

  add(other: Double): Double {
    return new Double(this.value + other.value);
  }

  subtract(other: Double): Double {
    return new Double(this.value - other.value);
  }

  multiply(other: Double): Double {
    return new Double(this.value * other.value);
  }

  divide(other: Double): Double {
    return new Double(this.value / other.value);
  }
}
