/** The shares of bins, by their definition: a value at an edge belongs to the bin above it. */
import { parseDecimal, Rational } from "../../src/core/arithmetic/index.ts";
import type { Reference } from "../support/statistic-references.ts";

export const reference: Reference = {
  argument: (places) => places.join("/"),
  of: (values, { argument }) => {
    const edges = argument.split("/").map((edge) => parseDecimal(edge));
    const binOf = (value: Rational): number => edges.filter((edge) => value.compare(edge) >= 0).length;
    return [0, ...edges.map((_, at) => at + 1)].map((bin) =>
      Rational.of(values.filter((value) => binOf(value) === bin).length, values.length),
    );
  },
  // Those left out are spread evenly over the bins.
  centred: ({ ofKept, kept, total, argument }) => {
    const bins = argument.split("/").length + 1;
    return Array.from({ length: bins }, (_, bin) =>
      (ofKept[bin] ?? Rational.ZERO).multiply(Rational.of(kept, total)).add(Rational.of(total - kept, bins * total)),
    );
  },
};
