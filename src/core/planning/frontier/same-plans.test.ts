/**
 * The same array gives the same plan, to the last record and weight: a plan's hash is the key of its release. Whether plans are right and
 * good is for the tests beside this one; this one notices that they are others than before (test/support/same-as-before.ts).
 */
import { createHash } from "node:crypto";
import { test } from "vitest";
import { SeededRandom } from "../../../../test/support/random.ts";
import { sameAsBefore, seededArray } from "../../../../test/support/same-as-before.ts";
import { parseDecimal, Rational } from "../../arithmetic/index.ts";
import { makeObjective, type ObjectiveOptions, parseBounds } from "../../influence/index.ts";
import { OccupancyBuilder, occupancyFromTriples } from "../../occupancy/index.ts";
import { runNow } from "../long-work.ts";
import { makePlan } from "../make-plan.ts";
import type { PlanBound } from "../plan.ts";
import type { FrontierGoal, StrategyRequest } from "../strategies.ts";
import { parseErrorTarget } from "./error-target.ts";

const HALF = { share: [1, 2], heavyTimes: 6 } as const;

const ARRAYS = {
  /** Nobody can move the variance of one record. */
  singles: occupancyFromTriples([
    ["a", "g", 1],
    ["b", "h", 1],
    ["a", "i", 3],
    ["b", "i", 2],
  ]),
  tiny: occupancyFromTriples([
    ["a", "g", 7],
    ["b", "g", 2],
    ["c", "g", 1],
    ["a", "h", 1],
    ["b", "h", 4],
    ["c", "i", 1],
  ]),
  small: seededArray({ ...HALF, users: 14, grids: 3, most: 6, heavyEvery: 5 }, 3),
  middle: seededArray({ ...HALF, users: 40, grids: 5, most: 20, heavyEvery: 12 }, 7),
  /** More entries than are polished. */
  large: seededArray({ ...HALF, users: 160, grids: 9, most: 30, heavyEvery: 20 }, 11),
  /** Grids of very different size, so that a small loss cannot pay for all of them. */
  uneven: occupancyFromTriples(
    Array.from({ length: 24 }, (_, user) =>
      Array.from({ length: 6 }, (_, grid): [string, string, number] => [
        `u${user}`,
        `g${grid}`,
        1 + ((user * grid) % 5),
      ])
        .filter((_, grid) => user % (grid + 1) === 0)
        .concat([[`u${user}`, "all", 1 + (user % 3)]]),
    ).flat(),
  ),
};

/** `loss 2`, `error 280`, `error mean=5,sd=12` or `epsilon 1`. */
function goalOf(text: string, objective: ReturnType<typeof makeObjective>): FrontierGoal {
  const [kind, value] = text.split(" ") as ["loss" | "error" | "epsilon", string];
  if (kind === "error") return { kind, target: parseErrorTarget(value, objective) };
  return kind === "loss" ? { kind, loss: parseDecimal(value) } : { kind, epsilon: parseDecimal(value) };
}

interface SearchOptions extends Pick<StrategyRequest, "unproven" | "sketch"> {
  /** The clock has run out once it was looked at so many times. */
  readonly looks?: number;
}

type Case = [array: keyof typeof ARRAYS, objective: ObjectiveOptions, goal: string, search?: SearchOptions];

function requestOf({
  looks,
  ...others
}: SearchOptions = {}): Pick<StrategyRequest, "unproven" | "sketch" | "timeLimit"> {
  if (looks === undefined) return others;
  let left = looks;
  return { ...others, timeLimit: { seconds: 1, isOutOfTime: () => left-- <= 0 } };
}

const CASES: Case[] = [
  ["tiny", { estimator: "kept" }, "error 700"],
  ["tiny", { estimator: "kept" }, "loss 4"],
  ["tiny", { estimator: "centred" }, "error 300"],
  ["tiny", { estimator: "centred", metric: "relative" }, "loss 3"],
  ["tiny", { estimator: "centred", statistics: "mean,sum" }, "error mean=10,sum=40"],
  ["singles", { estimator: "kept", statistics: "variance" }, "error 300"],
  ["singles", { estimator: "kept", statistics: "variance" }, "loss 4"],
  ["singles", { estimator: "centred", statistics: "variance" }, "loss 3"],
  ["singles", { estimator: "kept" }, "error mean=12,variance=900"],
  ["singles", { estimator: "kept" }, "error 600"],
  ["small", { estimator: "kept" }, "error 450"],
  ["small", { estimator: "kept", statistics: "variance" }, "loss 5"],
  ["small", { estimator: "centred" }, "error 300"],
  ["small", { estimator: "centred" }, "error mean=14,sd=18"],
  ["small", { estimator: "centred" }, "epsilon 2"],
  ["small", { estimator: "centred", metric: "relative" }, "loss 4"],
  ["small", { estimator: "centred", statistics: "histogram:20/40" }, "loss 6"],
  ["small", { estimator: "centred", statistics: "share:50", metric: "relative" }, "error 0.4"],
  ["small", { estimator: "centred", statistics: "sum" }, "loss 2"],
  ["small", { estimator: "centred", weights: "variance=0.05" }, "error 30"],
  ["small", { estimator: "centred" }, "error 280", { unproven: true }],
  ["small", { estimator: "centred" }, "error 290", { sketch: {} }],
  ["small", { estimator: "centred" }, "loss 5", { sketch: {} }],
  ["small", { estimator: "centred" }, "loss 5.5", { sketch: { near: 250 } }],
  ["small", { estimator: "centred" }, "loss 20", { sketch: { near: 250 } }],
  ["small", { estimator: "centred" }, "loss 21", { sketch: { near: 540 } }],
  ["small", { estimator: "kept" }, "loss 22", { sketch: { near: 250 } }],
  ["middle", { estimator: "kept" }, "error 280"],
  ["middle", { estimator: "kept" }, "loss 7"],
  ["middle", { estimator: "centred" }, "error 450"],
  ["middle", { estimator: "centred" }, "loss 3"],
  ["middle", { estimator: "centred", statistics: "mean" }, "loss 1.5"],
  ["middle", { estimator: "centred" }, "error 281", { looks: 0 }],
  ["middle", { estimator: "centred" }, "error 282", { looks: 20 }],
  ["middle", { estimator: "centred" }, "error 283", { looks: 200 }],
  ["middle", { estimator: "centred" }, "loss 3.1", { looks: 40 }],
  ["large", { estimator: "kept" }, "error 300"],
  ["large", { estimator: "centred" }, "error 300"],
  ["large", { estimator: "centred" }, "error 301", { sketch: {} }],
  ["large", { estimator: "centred", metric: "relative" }, "error mean=6,variance=300"],
  ["uneven", { estimator: "centred", statistics: "mean" }, "loss 0.02"],
  ["uneven", { estimator: "centred", statistics: "mean" }, "loss 0.2"],
  ["uneven", { estimator: "centred", statistics: "mean" }, "loss 0.4"],
  ["uneven", { estimator: "centred" }, "loss 1"],
  ["uneven", { estimator: "centred" }, "loss 1.5", { sketch: {} }],
  ["uneven", { estimator: "centred", statistics: "mean" }, "loss 0.5", { sketch: { near: 30 } }],
  ["uneven", { estimator: "kept" }, "loss 2"],
];

const boundText = ({ lowerBound, weights }: PlanBound): string => `${lowerBound.toNumberNearest()} (${weights.length})`;

const TINY_ROUNDS = 8;
const hold = sameAsBefore("same-plans", CASES.length + TINY_ROUNDS);

test.each(CASES.map((each) => [nameOf(each), each] as const))("%s", (name, [array, options, goal, search]) => {
  const occupancy = ARRAYS[array];
  const objective = makeObjective(parseBounds("0,65"), options);
  const told = createHash("sha256");
  const work = makePlan(occupancy, { objective, frontier: goalOf(goal, objective), ...requestOf(search) });
  let next = work.next();
  for (; !next.done; next = work.next()) told.update(JSON.stringify(next.value));
  const { plan } = next.value;
  hold(
    name,
    `loss ${plan.loss.toNumberNearest()}`,
    `error ${plan.strategy.errorBound?.toNumberNearest() ?? "each"}`,
    `bound ${plan.bound === null ? "none" : boundText(plan.bound)}`,
    `${plan.suppressed.length} dropped, ${plan.trimmed.length} trimmed, ${plan.strategy.setAside.length} set aside`,
    `told ${told.digest("hex").slice(0, 8)}`,
    plan.hash,
  );
});

/** Two dozen tiny arrays at a time, where single records decide: everything that can be asked for, in turn. */
const STATISTICS = [
  "mean,variance",
  "variance",
  "mean",
  "sum",
  "mean,sum",
  "variance,sum",
  "share:50",
  "histogram:20/40",
];

test.each(
  Array.from({ length: TINY_ROUNDS }, (_, round) => [`tiny arrays ${round}`, round] as const),
)("%s", (name, round) => {
  const random = new SeededRandom(100 + round);
  const all = createHash("sha256");
  let losses = 0;
  for (let array = 0; array < 24; array++) {
    const builder = new OccupancyBuilder();
    const most = [2, 4, 9][array % 3]!;
    for (let grid = 0; grid < 1 + random.below(3); grid++)
      for (let user = 0; user < 4; user++)
        if (random.below(3) > 0 || user === grid) builder.add(`u${user}`, `g${grid}`, 1 + random.below(most));
    const metric = array % 2 === 0 ? "sum" : "relative";
    const estimator = array % 4 < 2 ? "centred" : "kept";
    const objective = makeObjective(parseBounds("0,65"), { statistics: STATISTICS[round]!, metric, estimator });
    const share = Rational.of(20 + random.below(75), 100);
    const errors = objective.statistics.map((statistic) => statistic.dataFreeError(5).multiply(share));
    const together = errors.reduce((sum, error) => sum.add(error), Rational.ZERO);
    const goals: FrontierGoal[] = [
      { kind: "error", target: { kind: "together", error: metric === "relative" ? share : together } },
      { kind: "error", target: { kind: "each", errors } },
      { kind: "loss", loss: Rational.of(1 + random.below(60), 10) },
    ];
    const sketch = array % 5 === 0 ? {} : undefined;
    const { plan } = runNow(
      makePlan(builder.build().occupancy, { objective, frontier: goals[random.below(3)]!, sketch }),
    );
    losses += plan.loss.toNumberNearest();
    all.update(plan.hash);
  }
  hold(name, STATISTICS[round], `losses ${losses}`, all.digest("hex"));
});

function nameOf([array, objective, goal, search]: Case): string {
  const said = Object.entries(search ?? {}).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return [array, ...Object.values(objective), goal, ...said].join(" ");
}
