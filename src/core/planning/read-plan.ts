/** Reads a plan file back, refusing whatever is not exactly a plan or does not match the hash it carries. */
import { type Rational, tryParseExact } from "../arithmetic/index.ts";
import { VeilgridError } from "../errors/index.ts";
import { ESTIMATORS, makeBounds, parseStatistic } from "../influence/index.ts";
import { checkPlanContent } from "./check-plan.ts";
import {
  freezePlan,
  PLAN_FORMAT,
  type Plan,
  type PlanBound,
  type PlanContent,
  type PlanNoise,
  type PlanPartition,
  planText,
  STRATEGY_NAMES,
} from "./plan.ts";

/** The plan in `text`; PLAN_MALFORMED or PLAN_ALTERED otherwise. `name` is how errors call the file. */
export function readPlan(text: string, name = "plan"): Plan {
  const { plan, hash } = orMalformed(name, () => {
    const root = objectOf(JSON.parse(text), "the file", ROOT_KEYS);
    if (root["format"] !== PLAN_FORMAT) throw new Malformed(`format is not ${PLAN_FORMAT}`);
    return { plan: freezePlan(contentOf(root)), hash: textOf(root["hash"], "hash") };
  });
  if (plan.hash !== hash) {
    throw new VeilgridError(
      "PLAN_ALTERED",
      `${name}: the plan was altered after it was made: its hash does not match; plan again`,
    );
  }
  orMalformed(name, () => {
    checkPlanContent(plan);
    if (planText(plan).trimEnd() !== text.trimEnd())
      throw new Malformed("its text was rewritten and is not in canonical form");
  });
  return plan;
}

/** Turns whatever is wrong with the content into one line. A parser's own message may quote the file, so only ours is passed on. */
function orMalformed<Result>(name: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const ours = error instanceof Malformed || error instanceof VeilgridError;
    if (!ours && !(error instanceof SyntaxError)) throw error;
    const what = ours ? error.message : "it is not JSON";
    throw new VeilgridError("PLAN_MALFORMED", `${name}: not a plan: ${what}; make one with 'veilgrid plan --out'`);
  }
}

class Malformed extends Error {}

type Json = Readonly<Record<string, unknown>>;

const ROOT_KEYS = [
  "format",
  "bounds",
  "latticeStep",
  "statistics",
  "weights",
  "metric",
  "estimator",
  "split",
  "partition",
  "keep",
  "occupancy",
  "strategy",
  "grids",
  "noise",
  "caps",
  "users",
  "suppressed",
  "trimmed",
  "loss",
  "lossSimple",
  "bound",
  "hash",
];

function contentOf(root: Json): PlanContent {
  const [lower, upper] = listOf(root["bounds"], "bounds", exactOf, 2);
  const bounds = makeBounds(lower!, upper!);
  const estimator = oneOf(root["estimator"], "estimator", ESTIMATORS);
  const statistics = listOf(root["statistics"], "statistics", textOf).map((key) =>
    parseStatistic(key, bounds, estimator),
  );
  if (statistics.length === 0) throw new Malformed("statistics is empty");
  const grids = listOf(root["grids"], "grids", textOf);
  const users = listOf(root["users"], "users", textOf);
  const pair = (value: unknown, name: string, length: number): number[] => {
    const [user, grid, ...rest] = listOf(value, name, countOf, length);
    if (user! >= users.length || grid! >= grids.length) throw new Malformed(`${name} points outside its tables`);
    return [user!, grid!, ...rest];
  };
  const noise = listOf(root["noise"], "noise", (value) => noiseOf(value, statistics.length), grids.length);
  return {
    latticeStep: exactOf(root["latticeStep"], "latticeStep"),
    objective: {
      bounds,
      statistics,
      weights: listOf(root["weights"], "weights", exactOf, statistics.length),
      metric: oneOf(root["metric"], "metric", ["sum", "relative"]),
      estimator,
    },
    split: oneOf(root["split"], "split", ["even", "best"]),
    partition: root["partition"] === null ? null : partitionOf(root["partition"]),
    keep: oneOf(root["keep"], "keep", ["spread", "first"]),
    occupancy: occupancyOf(root["occupancy"]),
    strategy: strategyOf(root["strategy"], grids.length, statistics.length),
    grids,
    noise,
    caps: root["caps"] === null ? null : listOf(root["caps"], "caps", countOf, grids.length),
    users,
    suppressed: listOf(root["suppressed"], "suppressed", (value, name) => pair(value, name, 2) as [number, number]),
    trimmed: listOf(root["trimmed"], "trimmed", (value, name) => pair(value, name, 3) as [number, number, number]),
    loss: exactOf(root["loss"], "loss"),
    lossSimple: exactOf(root["lossSimple"], "lossSimple"),
    bound: root["bound"] === null ? null : boundOf(root["bound"], users.length),
  };
}

function partitionOf(value: unknown): PlanPartition {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Malformed("partition is not an object");
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, textOf(each, `partition ${key}`)]));
}

function noiseOf(value: unknown, statistics: number): PlanNoise {
  const noise = objectOf(value, "noise", ["epsilon", "epsilons", "scales"]);
  return {
    epsilon: exactOf(noise["epsilon"], "noise"),
    epsilons: listOf(noise["epsilons"], "noise", exactOf, statistics),
    scales: listOf(noise["scales"], "noise", exactOf, statistics),
  };
}

function occupancyOf(value: unknown): PlanContent["occupancy"] {
  const occupancy = objectOf(value, "occupancy", ["sha256", "users", "grids", "entries", "samples"]);
  return {
    sha256: textOf(occupancy["sha256"], "occupancy"),
    users: countOf(occupancy["users"], "occupancy"),
    grids: countOf(occupancy["grids"], "occupancy"),
    entries: countOf(occupancy["entries"], "occupancy"),
    samples: countOf(occupancy["samples"], "occupancy"),
  };
}

function strategyOf(value: unknown, grids: number, statistics: number): PlanContent["strategy"] {
  const strategy = objectOf(value, "strategy", [
    "name",
    "epsilon",
    "errorBound",
    "errorTargets",
    "lossTarget",
    "setAside",
    "timeLimitSeconds",
    "protectedGrid",
    "wholeStages",
    "caps",
  ]);
  const protectedGrid = strategy["protectedGrid"] === null ? null : countOf(strategy["protectedGrid"], "protectedGrid");
  if (protectedGrid !== null && protectedGrid >= grids) throw new Malformed("protectedGrid points outside the grids");
  return {
    name: oneOf(strategy["name"], "strategy", STRATEGY_NAMES),
    epsilon: orNull(strategy["epsilon"], "epsilon", exactOf),
    errorBound: orNull(strategy["errorBound"], "errorBound", exactOf),
    errorTargets: orNull(strategy["errorTargets"], "errorTargets", (each, name) =>
      listOf(each, name, exactOf, statistics),
    ),
    lossTarget: orNull(strategy["lossTarget"], "lossTarget", exactOf),
    setAside: listOf(strategy["setAside"], "setAside", countOf),
    timeLimitSeconds: orNull(strategy["timeLimitSeconds"], "timeLimitSeconds", countOf),
    protectedGrid,
    wholeStages: booleanOf(strategy["wholeStages"], "wholeStages"),
    caps: booleanOf(strategy["caps"], "caps"),
  };
}

function boundOf(value: unknown, users: number): PlanBound {
  const bound = objectOf(value, "bound", ["of", "lowerBound", "weights", "prices"]);
  return {
    of: oneOf(bound["of"], "bound", ["loss", "error", "degradation"]),
    lowerBound: exactOf(bound["lowerBound"], "bound"),
    weights: listOf(bound["weights"], "bound", (each, name) => {
      const [user, weight] = listOf(each, name, countOf, 2);
      if (user! >= users) throw new Malformed("bound points outside its table");
      return [user!, weight!] as const;
    }),
    prices: orNull(bound["prices"], "bound", (each, name) => listOf(each, name, wholeOf)),
  };
}

function orNull<Value>(value: unknown, name: string, read: (value: unknown, name: string) => Value): Value | null {
  return value === null ? null : read(value, name);
}

function wholeOf(value: unknown, name: string): bigint {
  if (typeof value !== "string" || !/^\d+$/.test(value)) throw new Malformed(`${name} is not a whole number`);
  return BigInt(value);
}

function objectOf(value: unknown, name: string, keys: readonly string[]): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Malformed(`${name} is not an object`);
  const missing = keys.find((key) => !Object.hasOwn(value, key));
  if (missing !== undefined) throw new Malformed(`${name} lacks ${missing}`);
  if (Object.keys(value).length !== keys.length) throw new Malformed(`${name} has keys that no plan has`);
  return value as Json;
}

function listOf<Item>(
  value: unknown,
  name: string,
  item: (value: unknown, name: string) => Item,
  length?: number,
): Item[] {
  if (!Array.isArray(value)) throw new Malformed(`${name} is not a list`);
  if (length !== undefined && value.length !== length) throw new Malformed(`${name} has not ${length} items`);
  return value.map((each) => item(each, name));
}

function textOf(value: unknown, name: string): string {
  if (typeof value !== "string") throw new Malformed(`${name} is not text`);
  return value;
}

function countOf(value: unknown, name: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw new Malformed(`${name} is not a whole number from 0`);
  return value as number;
}

function booleanOf(value: unknown, name: string): boolean {
  if (typeof value !== "boolean") throw new Malformed(`${name} is not true or false`);
  return value;
}

function exactOf(value: unknown, name: string): Rational {
  const exact = typeof value === "string" ? tryParseExact(value) : undefined;
  if (exact === undefined) throw new Malformed(`${name} is not an exact number`);
  return exact;
}

function oneOf<Choice extends string>(value: unknown, name: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((each) => each === value);
  if (choice === undefined) throw new Malformed(`${name} is not one of ${choices.join(", ")}`);
  return choice;
}
