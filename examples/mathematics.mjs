/** The worked numbers of docs/mathematics.md, printed from the library itself: `node examples/mathematics.mjs`. */
import { Rational } from "#core/arithmetic";
import { continuousLossOfUser } from "#core/composition";
import {
  ErrorModel,
  guaranteeOf,
  makeBounds,
  parseStatistic,
  sensitivity,
  splitBudget,
  splitEvenly,
  worstCaseBias,
} from "#core/influence";
import { Kept, occupancyFromTriples } from "#core/occupancy";
import { bestCap } from "#core/planning";

const unit = makeBounds(Rational.of(0), Rational.of(1));
const mean = parseStatistic("mean", unit);
const variance = parseStatistic("variance", unit);
const fraction = (value) => `${value.numerator}/${value.denominator}`;
/** A grid of which everything is kept. */
const all = (total) => ({ kept: total, total });
const decimal = (value) => value.toDecimalNearest(4);

/** The variance bias as the theorem is printed, its two cases exchanged. */
function printedBias(kept, total) {
  const dropped = total - kept;
  const whole = total % 2 === 0 ? Rational.of(1, 4) : Rational.of(total * total - 1, 4 * total * total);
  return kept > dropped ? whole : Rational.of(kept * dropped, total * total);
}

console.log("Theorem 2 (U = 1)");
for (const [owned, total] of [
  [1, 4],
  [2, 4],
  [3, 4],
  [2, 5],
  [4, 5],
]) {
  console.log(`  variance influence of ${owned} of ${total}: ${fraction(sensitivity(variance, owned, all(total)))}`);
}

console.log("Theorem 5: users a, b in grids g, h, ε = 1 each, mean and variance, counts a: 2 and 4, b: 6 and 4");
const occupancy = occupancyFromTriples([
  ["a", "g", 2],
  ["b", "g", 6],
  ["a", "h", 4],
  ["b", "h", 4],
]);
const kept = Kept.all(occupancy);
const objective = {
  statistics: [mean, variance],
  weights: [Rational.ONE, Rational.ONE],
  metric: "sum",
  estimator: "kept",
};
const epsilonsOfGrid = [0, 1].map((grid) =>
  splitBudget(objective, kept.countsOf(grid), { epsilon: Rational.ONE, split: "even" }),
);
const noise = { statistics: objective.statistics, epsilonOfGrid: [Rational.ONE, Rational.ONE], epsilonsOfGrid };
for (const user of [0, 1]) {
  console.log(
    `  user ${occupancy.users.get(user)}: simple 2, joint ${decimal(continuousLossOfUser(kept, noise, user))}`,
  );
}

console.log("Theorem 9 (U = 1): 10 records, 6 kept, 3 of them of the heaviest user; kept against centred");
const counts = { total: 10, kept: 6, largest: 3 };
for (const key of ["mean", "variance"]) {
  const both = [parseStatistic(key, unit, "kept"), parseStatistic(key, unit, "centred")];
  const pair = (of) => both.map((statistic) => fraction(of(statistic))).join(" against ");
  console.log(
    `  ${both[0].key}: sensitivity ${pair((each) => sensitivity(each, 3, counts))}, bias ${pair((each) => worstCaseBias(each, counts))}`,
  );
}
const emptied = ["mean", "variance"].map((key) =>
  fraction(worstCaseBias(parseStatistic(key, unit, "centred"), { kept: 0, total: 7 })),
);
console.log(`  7 records, none kept: centred mean off by at most ${emptied[0]}, variance by ${emptied[1]}`);

console.log("Erratum 1: worst-case bias of the variance, n = 4");
for (const left of [3, 1]) {
  console.log(
    `  kept ${left}: truth ${fraction(worstCaseBias(variance, { kept: left, total: 4 }))}, as printed ${fraction(printedBias(left, 4))}`,
  );
}

console.log("Erratum 2: one user owns all 5 records of a grid");
console.log(
  `  sensitivity of the variance ${fraction(sensitivity(variance, 5, all(5)))}; the case n > 2m* alone would give ${fraction(Rational.of(5 * (5 - 5), 25))}`,
);

console.log("Erratum 3: grids of 4 and 40 one-record users, ε = 2, mean: error after dropping one shared user");
const meanOnly = { ...objective, statistics: [mean], weights: [Rational.ONE] };
const errorOf = (total, left, largest) =>
  guaranteeOf(meanOnly, { total, kept: left, largest }, splitEvenly(Rational.of(2), 1)).error;
console.log(
  `  small grid ${decimal(errorOf(4, 3, 1))} (argmax), large grid ${decimal(errorOf(40, 39, 1))} (argmin); bound E ${decimal(errorOf(4, 4, 1))}`,
);

console.log("Erratum 4: P(|Z1| + |Z2| ≥ b·ln(1/δ)) for two Laplace variables of scale b, δ = 0.05");
console.log(`  ${(0.05 * (1 + Math.log(20))).toFixed(2)}, not 0.05`);

console.log("Erratum 5: a grid that lost its last user");
console.log(`  guarantee: ${guaranteeOf(meanOnly, { total: 3, kept: 0, largest: 0 }, splitEvenly(Rational.of(2), 1))}`);

console.log("Erratum 6: five of ten one-record users dropped one by one, mean");
console.log(
  `  bias of the fifth drop against the six left ${decimal(worstCaseBias(mean, { kept: 5, total: 6 }))}, of all five against the original counts ${decimal(worstCaseBias(mean, { kept: 5, total: 10 }))}`,
);

console.log("Erratum 7: counts (1, 2), variance");
console.log(
  `  sensitivity uncapped ${fraction(sensitivity(variance, 2, all(3)))}, capped at 1 ${fraction(sensitivity(variance, 1, all(2)))}`,
);

console.log("Erratum 8: counts (1, 3), variance");
for (const cap of [1, 2, 3])
  console.log(`  cap ${cap}: sensitivity ${fraction(sensitivity(variance, cap, all(1 + cap)))}`);
const noisy = new ErrorModel({ ...objective, statistics: [variance], weights: [Rational.ONE] }, Rational.of(1, 100));
console.log(`  best cap where noise outweighs bias: ${bestCap(Uint32Array.of(1, 3), 4, noisy)}`);

console.log("Erratum 9: counts (1, 5, 9), cap in the second-largest interval, mean sensitivity");
console.log(
  `  ${[1, 2, 3, 4, 5].map((cap) => `c = ${cap}: ${fraction(sensitivity(mean, cap, all(1 + 2 * cap)))}`).join(", ")}`,
);
