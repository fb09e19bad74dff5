/** From occupancy and options to a frozen plan: runs the strategy and works out the losses. */
import type { Rational } from "../arithmetic/index.ts";
import { checkObjective, type Objective, type Split } from "../influence/index.ts";
import { GrowableUint32, type Occupancy, occupancyHash } from "../occupancy/index.ts";
import { type Decision, decide, type StrategyRequest } from "./decide.ts";
import { guaranteesOf, lossesOf, type PlanEvaluation } from "./evaluate-plan.ts";
import { latticeStep } from "./lattice.ts";
import type { LongWork } from "./long-work.ts";
import { freezePlan, type KeepRule, type Plan, type PlanContent, type PlanPartition } from "./plan.ts";

export interface PlanRequest extends StrategyRequest {
  readonly objective: Objective;
  /** `best` is applied to the noise at the end; what is dropped is decided under the even split. The frontier is always best. */
  readonly split?: Split | undefined;
  /** h; U·2⁻²⁰ if absent. */
  readonly step?: Rational | undefined;
  /** Where not all of a user's records are kept, which ones; `spread` if absent. */
  readonly keep?: KeepRule | undefined;
  /** How the occupancy was made from records, for the release to do it again. */
  readonly partition?: PlanPartition | undefined;
}

export interface MadePlan {
  readonly plan: Plan;
  readonly evaluation: PlanEvaluation;
}

/** Reads occupancy only: there is no way to hand it a value. */
export function* makePlan(occupancy: Occupancy, request: PlanRequest): LongWork<MadePlan> {
  const { objective } = request;
  const split = request.frontier === undefined ? (request.split ?? "even") : "best";
  checkObjective(objective);
  const step = latticeStep(objective.bounds, request.step);
  const decision = yield* decide(occupancy, objective, split, request);
  const { kept, noise, strategy } = decision;

  yield { step: "working out noise and losses", done: 0 };
  const losses = lossesOf(kept, objective, noise);
  const plan = freezePlan({
    latticeStep: step,
    objective,
    split,
    partition: request.partition ?? null,
    keep: request.keep ?? "spread",
    occupancy: {
      sha256: occupancyHash(occupancy),
      users: occupancy.users.length,
      grids: occupancy.grids.length,
      entries: occupancy.entries,
      samples: occupancy.samples,
    },
    strategy,
    grids: [...occupancy.grids],
    noise,
    caps: decision.caps === null ? null : Array.from(decision.caps),
    ...namedUsers(occupancy, decision),
    loss: losses.joint.largest(),
    lossSimple: losses.simple.largest(),
  });
  return { plan, evaluation: { kept, guarantees: guaranteesOf(kept, objective, noise), ...losses } };
}

/** What is said about single users: pairs of indices into the list of those concerned and the list of all grids. */
function namedUsers(
  occupancy: Occupancy,
  { kept, caps, suppressed, bound }: Decision,
): Pick<PlanContent, "users" | "suppressed" | "trimmed" | "bound"> {
  const { grid, count } = occupancy.byUser;
  const trimmed = new GrowableUint32();
  for (let entry = 0; entry < count.length; entry++) {
    const records = kept.ofEntry[entry]!;
    const most = caps === null ? count[entry]! : Math.min(count[entry]!, caps[grid[entry]!]!);
    if (records > 0 && records < most) trimmed.push(entry);
  }
  // First who is concerned, then how many of those come before.
  const rank = new Uint32Array(occupancy.users.length);
  for (const entry of suppressed) rank[occupancy.userOfEntry(entry)] = 1;
  for (const entry of trimmed.view()) rank[occupancy.userOfEntry(entry)] = 1;
  for (const [user] of bound?.weights ?? []) rank[user] = 1;
  const users: string[] = [];
  for (let user = 0; user < rank.length; user++) {
    const isConcerned = rank[user] === 1;
    rank[user] = users.length;
    if (isConcerned) users.push(occupancy.users.get(user));
  }
  const rankOf = (entry: number): number => rank[occupancy.userOfEntry(entry)]!;
  return {
    users,
    suppressed: Array.from(suppressed, (entry) => [rankOf(entry), grid[entry]!] as const),
    trimmed: Array.from(trimmed.view(), (entry) => [rankOf(entry), grid[entry]!, kept.ofEntry[entry]!] as const),
    bound:
      bound === null
        ? null
        : { ...bound, weights: bound.weights.map(([user, weight]) => [rank[user]!, weight] as const) },
  };
}
