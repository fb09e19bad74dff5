/** The steps of planning whose memory is measured. */
import { parseDecimal, Rational } from "#core/arithmetic";
import { ErrorModel, makeObjective, parseBounds } from "#core/influence";
import { Kept, type Occupancy } from "#core/occupancy";
import { chooseCaps, clipUser, leastLoss, lossesOf, runNow, uniformNoise } from "#core/planning";

const bounds = parseBounds("0,65");
const objective = makeObjective(bounds);
const epsilon = parseDecimal("0.3", "ε per grid");
const model = (): ErrorModel => new ErrorModel(objective, epsilon);
const evaluated = (kept: Kept): unknown =>
  lossesOf(kept, objective, uniformNoise(kept, objective, { epsilon, split: "even" }));

/** Each decides what is kept and works out its noise and exact losses. */
export const PLANS: Readonly<Record<string, (occupancy: Occupancy) => unknown>> = {
  baseline: (occupancy) => evaluated(Kept.all(occupancy)),
  "clip-user": (occupancy) => evaluated(runNow(clipUser(occupancy, model())).kept),
  caps: (occupancy) => evaluated(runNow(chooseCaps(Kept.all(occupancy), model())).kept),
  "frontier, first answer": (occupancy) => frontier(occupancy, { sketch: {}, unproven: true }),
  frontier: (occupancy) => frontier(occupancy, {}),
};

function frontier(occupancy: Occupancy, options: Parameters<typeof leastLoss>[3]): unknown {
  const centred = makeObjective(bounds, { estimator: "centred" });
  const target = { kind: "together", error: Rational.of(280) } as const;
  return runNow(leastLoss(occupancy, centred, target, options));
}
