/** The second moment about 0, by its definition: the average square. */
import { maximum, minimum, Rational, sum } from "../../src/core/arithmetic/index.ts";
import type { Reference } from "../support/statistic-references.ts";

const square = (value: Rational): Rational => value.multiply(value);

export const reference: Reference = {
  of: (values) => [sum(values.map(square)).divide(Rational.of(values.length))],
  // Those left out count as the middle between the square of what is nearest to 0 and that of what is farthest from it.
  centred: ({ ofKept, kept, total, bounds: { lower, upper } }) => {
    const nearest = maximum(lower, minimum(upper, Rational.ZERO));
    const farthest = maximum(upper, lower.negate());
    const middle = square(nearest).add(square(farthest)).divide(Rational.of(2));
    return [
      (ofKept[0] ?? Rational.ZERO)
        .multiply(Rational.of(kept, total))
        .add(middle.multiply(Rational.of(total - kept, total))),
    ];
  },
};
