/** From occupancy and wishes to a frozen plan: runs the strategy, assigns the noise, works out the losses. */
import type { Rational } from "../arithmetic/index.ts";
import { VeilgridError } from "../errors/index.ts";
import { checkEpsilon, checkObjective, ErrorModel, type Objective, type Split } from "../influence/index.ts";
import { Kept, type Occupancy, occupancyHash } from "../occupancy/index.ts";
import { chooseCaps } from "./caps.ts";
import { type ClipUserOptions, clipUser } from "./clip-user.ts";
import { guaranteesOf, lossesOf, type PlanEvaluation, uniformNoise } from "./evaluate-plan.ts";
import { latticeStep } from "./lattice.ts";
import type { LongWork } from "./long-work.ts";
import { freezePlan, type KeepRule, type Plan, type PlanContent, type PlanPartition } from "./plan.ts";

export interface PlanRequest {
  readonly objective: Objective;
  /** `best` is applied to the noise at the end; what is dropped is decided under the even split. */
  readonly split?: Split | undefined;
  /** h; U·2⁻²⁰ if absent. */
  readonly step?: Rational | undefined;
  /** ε per grid. */
  readonly epsilon: Rational;
  /** Absent: the baseline, which drops nobody. */
  readonly clipUser?: ClipUserOptions | undefined;
  /** Choose caps afterwards. */
  readonly caps?: boolean | undefined;
  /** Where caps leave records out, which ones; `spread` if absent. */
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
  const { objective, epsilon, split = "even" } = request;
  checkObjective(objective);
  checkEpsilon(epsilon, "--epsilon");
  const step = latticeStep(objective.bounds, request.step);
  if (objective.estimator !== "kept" && (request.clipUser !== undefined || request.caps)) {
    throw new VeilgridError(
      "PARAMETER_INVALID",
      "clip-user and --caps decide by the paper's estimator; use --estimator kept or --strategy frontier",
    );
  }
  const modelOf = (): ErrorModel => new ErrorModel(objective, epsilon);
  const clipped = request.clipUser === undefined ? undefined : yield* clipUser(occupancy, modelOf(), request.clipUser);
  const capped = request.caps ? yield* chooseCaps(clipped?.kept ?? Kept.all(occupancy), modelOf()) : undefined;
  const kept = capped?.kept ?? clipped?.kept ?? Kept.all(occupancy);

  yield { step: "working out noise and losses", done: 0 };
  const noise = uniformNoise(kept, objective, { epsilon, split });
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
    strategy: {
      name: clipped === undefined ? "baseline" : "clip-user",
      epsilon,
      errorBound: clipped?.errorBound ?? null,
      protectedGrid: clipped?.protectedGrid ?? null,
      wholeStages: request.clipUser?.wholeStages ?? false,
      caps: capped !== undefined,
    },
    grids: [...occupancy.grids],
    noise,
    caps: capped === undefined ? null : Array.from(capped.caps),
    ...suppressedPairs(occupancy, clipped?.suppressed ?? new Uint32Array(0)),
    trimmed: [],
    loss: losses.joint.largest(),
    lossSimple: losses.simple.largest(),
  });
  return { plan, evaluation: { kept, guarantees: guaranteesOf(kept, objective, noise), ...losses } };
}

/** Entries as pairs of indices into the list of users concerned and the list of all grids. */
function suppressedPairs(occupancy: Occupancy, entries: Uint32Array): Pick<PlanContent, "users" | "suppressed"> {
  const userOf = Array.from(entries, (entry) => occupancy.userOfEntry(entry));
  const concerned = Uint32Array.from(new Set(userOf)).sort();
  const rank = new Map(Array.from(concerned, (user, index) => [user, index]));
  return {
    users: Array.from(concerned, (user) => occupancy.users.get(user)),
    suppressed: userOf.map((user, at) => [rank.get(user)!, occupancy.byUser.grid[entries[at]!]!] as const),
  };
}
