/** The plans that the full audit attacks: every strategy, estimator and statistic. */
import { Rational } from "../../core/arithmetic/index.ts";
import { type EstimatorName, makeObjective, parseBounds } from "../../core/influence/index.ts";
import type { LinearSolver, PlanRequest, StrategyRequest } from "../../core/planning/index.ts";
import { parseRecipe, recipeJson } from "../../data/partition/index.ts";
import { type Counts, WORST_RECORDS_RECIPE } from "./scenario.ts";

export interface AuditCase {
  /** As `--strategy` and `--caps` say it. */
  readonly strategy: string;
  readonly estimator: EstimatorName;
  readonly statistics: string;
  readonly request: PlanRequest;
}

/** Three grids, 49 users: one heavy, in all of them; the first grid small, so that the others have room for what strategies leave out. */
export const MANY_USERS: Counts = [
  ["heavy", "north", 5],
  ["heavy", "south", 9],
  ["heavy", "west", 10],
  ...Array.from({ length: 48 }, (_, index) => index).flatMap((index): Array<readonly [string, string, number]> => {
    const user = `user ${String(index).padStart(2, "0")}`;
    return [
      ...(index < 16 ? [[user, "north", 3 + (index % 2)] as const] : []),
      ...(index >= 12 ? [[user, "south", 3 + (index % 3)] as const] : []),
      ...(index % 3 !== 0 || index < 12 ? [[user, "west", 3 + ((index + 1) % 3)] as const] : []),
    ];
  }),
];

/** Four grids in which the attacked user costs 1, ¾, ½ and ½ of ε, and everybody else less in all: what is charged depends on what is asked. */
export const FEW_USERS: Counts = [
  ["attacked", "first", 4],
  ["attacked", "second", 3],
  ["attacked", "third", 2],
  ["attacked", "fourth", 2],
  ["heavier in second", "second", 4],
  ["heavier in third", "third", 4],
  ["heavier in fourth", "fourth", 4],
  ...["first", "second", "third", "fourth"].flatMap(
    (grid): Array<readonly [string, string, number]> => [
      ["light", grid, 1],
      [`also in ${grid}`, grid, 3],
    ],
  ),
];

const BOUNDS = parseBounds("0,65");
/** The share's threshold and the histogram's edges lie inside, so that a user at one bound moves to the other side of them. */
const EVERY_STATISTIC = ["mean", "variance", "share:30", "sum", "histogram:20/40", "second-moment"];
/** One by one, the usual two, and all together. */
export const AUDITED_STATISTICS: readonly string[] = [...EVERY_STATISTIC, "mean,variance", EVERY_STATISTIC.join(",")];

/** Small enough for caps to be worth it; over three grids about 2.5. With all statistics more, as evidence spread thin shows little. */
const epsilonFor = (statistics: number): Rational =>
  statistics < EVERY_STATISTIC.length ? Rational.of(4, 5) : Rational.of(2);

/** With the estimators they are asked for, and requests for so many statistics. */
function strategies(
  solver: LinearSolver,
): Array<{ name: string; estimators: EstimatorName[]; request: (statistics: number) => StrategyRequest }> {
  const uniform =
    (more: StrategyRequest) =>
    (statistics: number): StrategyRequest => ({ epsilon: epsilonFor(statistics), ...more });
  return [
    { name: "baseline", estimators: ["kept", "centred"], request: uniform({}) },
    // These decide by the paper's estimator and refuse the other.
    { name: "clip-user", estimators: ["kept"], request: uniform({ clipUser: {} }) },
    { name: "clip-user --caps", estimators: ["kept"], request: uniform({ clipUser: {}, caps: true }) },
    { name: "clip-user-optimal", estimators: ["kept"], request: uniform({ optimal: { solver } }) },
    {
      name: "frontier",
      estimators: ["kept", "centred"],
      request: (statistics) => ({
        frontier: { kind: "loss", loss: Rational.of(statistics < EVERY_STATISTIC.length ? 2 : 4) },
      }),
    },
  ];
}

/** Every strategy × estimator × statistics. */
export function auditCases(solver: LinearSolver): AuditCase[] {
  return strategies(solver).flatMap(({ name, estimators, request }) =>
    estimators.flatMap((estimator) =>
      AUDITED_STATISTICS.map((statistics) => ({
        strategy: name,
        estimator,
        statistics,
        request: requestOf({ statistics, estimator }, request(statistics.split(",").length)),
      })),
    ),
  );
}

/** Every single number of a grid of which one user has most records: sensitivities have other cases there. */
export function ownerCases(): AuditCase[] {
  return (["kept", "centred"] as const).map((estimator) => {
    const statistics = EVERY_STATISTIC.join(",");
    // 2 for each number.
    const request = requestOf({ statistics, estimator }, { epsilon: Rational.of(2 * EVERY_STATISTIC.length) });
    return { strategy: "baseline", estimator, statistics, request };
  });
}

/** Balanced plans of one pass and of two; a histogram has no windows, and a second pass would tell nothing of it. */
export function balancedCases(): AuditCase[] {
  const twice = AUDITED_STATISTICS.filter((each) => !each.includes("histogram"));
  return [...AUDITED_STATISTICS.map((each) => [each, 1] as const), ...twice.map((each) => [each, 2] as const)].map(
    ([statistics, passes]) => balancedCase(statistics, passes),
  );
}

export function balancedCase(statistics: string, passes: 1 | 2): AuditCase {
  // The first of two passes spends a fifth.
  const loss = Rational.of(passes === 1 && statistics.split(",").length < EVERY_STATISTIC.length ? 2 : 4);
  const request = requestOf({ statistics, estimator: "weighted" }, { balanced: { loss, passes } });
  return { strategy: passes === 1 ? "balanced" : "balanced, 2 passes", estimator: "weighted", statistics, request };
}

/** Two releases of the same records, each open to questions grid by grid. */
export function overlappingCases(epsilon: Rational = Rational.ONE): AuditCase[] {
  return ["mean", "share:30"].map((statistics) => ({
    strategy: "baseline",
    estimator: "kept",
    statistics,
    request: requestOf({ statistics, estimator: "kept" }, { epsilon }),
  }));
}

function requestOf(
  { statistics, estimator }: Pick<AuditCase, "statistics" | "estimator">,
  strategy: StrategyRequest,
): PlanRequest {
  // Every statistic held to its own range: what is in one's own unit could not be added up.
  const objective = makeObjective(BOUNDS, { statistics, metric: "relative", estimator });
  return { objective, ...strategy, partition: recipeJson(parseRecipe(WORST_RECORDS_RECIPE)) };
}
