/** The mean, by its definition. */
import { Rational, sum } from "../../src/core/arithmetic/index.ts";
import type { Reference } from "../support/statistic-references.ts";

export const reference: Reference = {
  of: (values) => [sum(values).divide(Rational.of(values.length))],
  centred: ({ clampedSum, total }) => [clampedSum.divide(Rational.of(total))],
};
