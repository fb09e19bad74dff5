/** Keeps a curator's choices on the Plan page in the address. */
import { itemAt } from "../../../../src/core/errors/index.ts";
import { defaultMetric } from "../../../../src/core/influence/index.ts";
import type { Goal, PlanAsked, PlanSettings, Strategy } from "../../planner/messages.ts";

export type MapMeasure = "error" | "dropped" | "noise";

export interface Choices {
  readonly goal: Goal["kind"];
  /** Decimal text. */
  readonly loss: string;
  /** Decimal text, in the metric; "" until the data are known. */
  readonly error: string;
  readonly statistics: string;
  readonly estimator: PlanSettings["estimator"];
  readonly strategy: Strategy;
  readonly map: MapMeasure;
  readonly grid: string | null;
}

export interface Defaults {
  readonly statistics: string;
  readonly loss: string;
}

const DECIMAL = /^\d{1,12}(\.\d{1,12})?$/;

function oneOf<Value extends string>(value: string | null, options: readonly Value[]): Value {
  return options.find((each) => each === value) ?? itemAt(options, 0);
}

function decimalOr(text: string | null, otherwise: string): string {
  return text !== null && DECIMAL.test(text) && Number(text) > 0 ? text : otherwise;
}

export function choicesOf(query: URLSearchParams, defaults: Defaults): Choices {
  return {
    goal: oneOf(query.has("error") && !query.has("loss") ? "error" : query.get("goal"), ["loss", "error"]),
    loss: decimalOr(query.get("loss"), defaults.loss),
    error: decimalOr(query.get("error"), ""),
    statistics: query.get("statistics") ?? defaults.statistics,
    estimator: oneOf(query.get("estimator"), ["centred", "kept"]),
    strategy: oneOf(query.get("strategy"), ["frontier", "clip-user", "baseline"]),
    map: oneOf(query.get("map"), ["error", "dropped", "noise"]),
    grid: query.get("grid"),
  };
}

/** The shortest address that leads to the same choices. */
export function queryOf(choices: Choices, defaults: Defaults): Record<string, string> {
  const { goal, loss, error, statistics, estimator, strategy, map, grid } = choices;
  return {
    ...(goal === "loss" ? { loss } : { error }),
    ...(statistics === defaults.statistics ? {} : { statistics }),
    ...(estimator === "centred" ? {} : { estimator }),
    ...(strategy === "frontier" ? {} : { strategy }),
    ...(map === "error" ? {} : { map }),
    ...(grid === null ? {} : { grid }),
  };
}

export function settingsOf(choices: Choices, bounds: string): PlanSettings {
  const { statistics, estimator } = choices;
  return { bounds, statistics, estimator, metric: defaultMetric(statistics) };
}

export function askedOf(choices: Choices, bounds: string): PlanAsked {
  const { goal, loss, error, strategy } = choices;
  return {
    settings: settingsOf(choices, bounds),
    strategy,
    goal: { kind: goal, value: goal === "loss" ? loss : error },
  };
}
