/** The share of values strictly above a threshold, by its definition. */
import { parseDecimal, Rational } from "../../src/core/arithmetic/index.ts";
import type { Reference } from "../support/statistic-references.ts";

export const reference: Reference = {
  argument: ([first]) => first!,
  of: (values, { argument }) => {
    const above = values.filter((value) => value.compare(parseDecimal(argument)) > 0);
    return [Rational.of(above.length, values.length)];
  },
  // Half of those left out count as above.
  centred: ({ ofKept, kept, total }) => [
    (ofKept[0] ?? Rational.ZERO).multiply(Rational.of(kept, total)).add(Rational.of(total - kept, 2 * total)),
  ],
};
