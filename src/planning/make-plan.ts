/** From occupancy and wishes to a frozen plan: runs the strategy and works out the losses. */
import type { Rational } from "../arithmetic/index.ts";
import { checkObjective, type Objective, type Split } from "../influence/index.ts";
import { type Occupancy, occupancyHash } from "../occupancy/index.ts";
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
  const trimmed: number[] = [];
  kept.ofEntry.forEach((records, entry) => {
    const most = caps === null ? count[entry]! : Math.min(count[entry]!, caps[grid[entry]!]!);
    if (records > 0 && records < most) trimmed.push(entry);
  });
  const userOf = (entry: number): number => occupancy.userOfEntry(entry);
  const concerned = new Set<number>();
  for (const entry of suppressed) concerned.add(userOf(entry));
  for (const entry of trimmed) concerned.add(userOf(entry));
  for (const [user] of bound?.weights ?? []) concerned.add(user);
  const users = Uint32Array.from(concerned).sort();
  const rank = new Map(Array.from(users, (user, index) => [user, index]));
  return {
    users: Array.from(users, (user) => occupancy.users.get(user)),
    suppressed: Array.from(suppressed, (entry) => [rank.get(userOf(entry))!, grid[entry]!] as const),
    trimmed: trimmed.map((entry) => [rank.get(userOf(entry))!, grid[entry]!, kept.ofEntry[entry]!] as const),
    bound:
      bound === null
        ? null
        : { ...bound, weights: bound.weights.map(([user, weight]) => [rank.get(user)!, weight] as const) },
  };
}
