/** Draws once from the paper's synthetic model and plans as the paper does: before, after CLIP-USER, and with caps. */

import { parseDecimal } from "../../../../src/core/arithmetic/index.ts";
import { itemAt } from "../../../../src/core/errors/index.ts";
import { makeObjective, parseBounds } from "../../../../src/core/influence/index.ts";
import { type LongWork, makePlan, type PlanSummary, summarisePlan } from "../../../../src/core/planning/index.ts";
import { synthesise } from "../../../../src/evidence/simulation/index.ts";
import type { RunOptions } from "./run-options.ts";

export interface RunRow {
  readonly name: string;
  /** K: the most grids of one user. */
  readonly most: number;
  readonly simple: number;
  readonly joint: number;
  /** null: some grid has no statistic left. */
  readonly error: number | null;
  readonly useful: number;
  readonly keptShare: number;
}

export interface RunResult {
  readonly users: number;
  readonly grids: number;
  readonly samples: number;
  readonly rows: readonly RunRow[];
  readonly dataFree: number;
}

/** The paper's range of speeds. */
const BOUNDS = "0,65";

export function* runIt({ gamma, q, seed, grids, epsilon: text }: RunOptions): LongWork<RunResult> {
  yield { step: "drawing users and records", done: 0, of: 4 };
  const occupancy = synthesise({ gamma, q, seed, grids });
  const objective = makeObjective(parseBounds(BOUNDS));
  const epsilon = parseDecimal(text, "ε");
  const clipUser = { protectLowest: true };
  const strategies = [
    ["before", {}],
    ["after CLIP-USER", { clipUser }],
    ["after CLIP-USER and caps", { clipUser, caps: true }],
  ] as const;
  const summaries: PlanSummary[] = [];
  for (const [name, strategy] of strategies) {
    const work = makePlan(occupancy, { objective, epsilon, ...strategy });
    for (;;) {
      yield { step: `planning: ${name}`, done: summaries.length + 1, of: 4 };
      const next = work.next();
      if (next.done) {
        summaries.push(summarisePlan(occupancy, next.value));
        break;
      }
    }
  }
  const { users, samples, dataFreeError } = itemAt(summaries, 0);
  return {
    users,
    grids: occupancy.grids.length,
    samples,
    dataFree: dataFreeError,
    rows: summaries.map((summary, index) => ({
      name: itemAt(strategies, index)[0],
      most: summary.degradation,
      simple: summary.lossSimple,
      joint: summary.loss,
      error: summary.worstError,
      useful: summary.usefulGrids,
      keptShare: summary.keptSamples / summary.samples,
    })),
  };
}
