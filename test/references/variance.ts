/** The population variance, by its definition: the average squared distance from the mean. */
import { Rational, sum } from "../../src/core/arithmetic/index.ts";
import type { Reference } from "../support/statistic-references.ts";

export const reference: Reference = {
  of: (values) => {
    const size = Rational.of(values.length);
    const mean = sum(values).divide(size);
    return [sum(values.map((value) => value.subtract(mean).multiply(value.subtract(mean)))).divide(size)];
  },
  // With its share of all records, and half of what the others can add: U²·i·(n − i)/n², i of them at one end and the rest at the other.
  centred: ({ ofKept, kept, total, bounds }) => {
    const movable = Math.min(total - kept, Math.floor(total / 2));
    const offset = bounds.width
      .multiply(bounds.width)
      .multiply(Rational.of(movable * (total - movable), 2 * total ** 2));
    return [(ofKept[0] ?? Rational.ZERO).multiply(Rational.of(kept, total)).add(offset)];
  },
};
