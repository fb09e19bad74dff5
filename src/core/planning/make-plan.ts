/** From occupancy and options to a frozen plan: runs the strategy and works out the losses. */
import { checkObjective, type Objective, type Split } from "../influence/index.ts";
import { type Occupancy, occupancyHash } from "../occupancy/index.ts";
import type { About } from "../options/index.ts";
import { evaluate, type PlanEvaluation, sizeOf } from "./evaluate-plan.ts";
import { latticeStep } from "./lattice.ts";
import type { ResultOf } from "./long-work.ts";
import type { KeepRule, PlanContent, PlanPartition } from "./plan.ts";
import { freezePlan } from "./plan-file.ts";
import { type Decision, type StrategyRequest, strategyOf } from "./strategies.ts";

export interface PlanRequest extends StrategyRequest {
  readonly objective: Objective;
  /** `best` is applied to the noise at the end; what is dropped is decided under the even split. The frontier is always best. */
  readonly split?: Split | undefined;
  /** Where not all of a user's records are kept, which ones; `spread` if absent. */
  readonly keep?: KeepRule | undefined;
  /** How the occupancy was made from records, for the release to do it again. */
  readonly partition?: PlanPartition | undefined;
  /** Carried along for what is published. */
  readonly about?: About | undefined;
}

export type MadePlan = ResultOf<typeof makePlan>;

/** Reads occupancy only: there is no way to hand it a value. */
export function* makePlan(occupancy: Occupancy, request: PlanRequest) {
  const { objective } = request;
  const split = request.frontier === undefined && request.balanced === undefined ? (request.split ?? "even") : "best";
  checkObjective(objective);
  const step = latticeStep(objective.bounds, request.step);
  const decision = yield* strategyOf(request).decide({ occupancy, objective, split, request });
  const { kept, noise, strategy, caps, balanced } = decision;

  yield { step: "working out noise and losses", done: 0 };
  const evaluation: PlanEvaluation = decision.evaluation ?? evaluate(kept, objective, noise);
  const plan = freezePlan({
    latticeStep: step,
    objective,
    split,
    partition: request.partition ?? null,
    about: request.about,
    keep: request.keep ?? "spread",
    occupancy: { sha256: occupancyHash(occupancy), ...sizeOf(occupancy) },
    strategy,
    balanced,
    grids: [...occupancy.grids],
    noise,
    caps: caps && Array.from(caps),
    ...namedUsers(occupancy, decision),
    loss: evaluation.joint.largest(),
    lossSimple: evaluation.simple.largest(),
  });
  return { plan, evaluation };
}

/** What is said about single users: pairs of indices into the list of those concerned and the list of all grids. */
function namedUsers(
  occupancy: Occupancy,
  { kept, caps, suppressed, bound }: Decision,
): Pick<PlanContent, "users" | "suppressed" | "trimmed" | "bound"> {
  const { grid, count } = occupancy.byUser;
  const trimmed: number[] = [];
  for (let entry = 0; entry < count.length; entry++) {
    const records = kept.ofEntry[entry]!;
    const most = caps === null ? count[entry]! : Math.min(count[entry]!, caps[grid[entry]!]!);
    if (records > 0 && records < most) trimmed.push(entry);
  }
  // First who is concerned, then how many of those come before.
  const rank = new Uint32Array(occupancy.users.length);
  for (const entry of suppressed) rank[occupancy.userOfEntry(entry)] = 1;
  for (const entry of trimmed) rank[occupancy.userOfEntry(entry)] = 1;
  for (const [user] of bound?.weights ?? []) rank[user] = 1;
  const users: string[] = [];
  for (const [user, isConcerned] of rank.entries()) {
    rank[user] = users.length;
    if (isConcerned === 1) users.push(occupancy.users.get(user));
  }
  const rankOf = (entry: number): number => rank[occupancy.userOfEntry(entry)]!;
  return {
    users,
    suppressed: Array.from(suppressed, (entry) => [rankOf(entry), grid[entry]!] as const),
    trimmed: Array.from(trimmed, (entry) => [rankOf(entry), grid[entry]!, kept.ofEntry[entry]!] as const),
    bound: bound && { ...bound, weights: bound.weights.map(([user, weight]) => [rank[user]!, weight] as const) },
  };
}
