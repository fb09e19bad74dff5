/** The sum, by its definition: what is left out counts as the middle of the bounds. */
import { Rational, sum } from "../../src/core/arithmetic/index.ts";
import type { Reference } from "../support/statistic-references.ts";

export const reference: Reference = {
  of: (values) => [sum(values)],
  kept: ({ ofKept, kept, total, bounds }) => {
    const middle = bounds.lower.add(bounds.upper).divide(Rational.of(2));
    return [(ofKept[0] ?? Rational.ZERO).add(middle.multiply(Rational.of(total - kept)))];
  },
  centred: ({ clampedSum }) => [clampedSum],
};
