/** Measures one array at one ε: before and after CLIP-USER, the joint losses, and the frontier. */
import { maximum, parseDecimal, Rational } from "../../core/arithmetic/index.ts";
import { itemAt } from "../../core/errors/index.ts";
import {
  type Bounds,
  dataFreeError,
  ErrorModel,
  type Guarantee,
  makeObjective,
  type Objective,
} from "../../core/influence/index.ts";
import { Kept, type Occupancy } from "../../core/occupancy/index.ts";
import {
  chooseCaps,
  clipUser,
  guaranteesOf,
  type LongWork,
  leastError,
  leastLoss,
  lossesOf,
  type ResultOf,
  uniformNoise,
} from "../../core/planning/index.ts";
import { degradationAsPrinted } from "./clip-user-as-printed.ts";

/** One array and how it is to be looked at. */
export interface Subject {
  readonly occupancy: Occupancy;
  readonly bounds: Bounds;
  readonly protectLowest: boolean;
}

/** Before and after, at one ε per grid. Errors are E, the worst over the grids, for mean and variance added up. */
export type ClippedPoint = ResultOf<typeof measureClipped>;

export function* measureClipped(subject: Subject, epsilonText: string) {
  const { occupancy, bounds, protectLowest } = subject;
  const objective = makeObjective(bounds);
  const epsilon = parseDecimal(epsilonText, "epsilon");
  const model = new ErrorModel(objective, epsilon);
  const clipped = yield* clipUser(occupancy, model, { protectLowest });
  const capped = yield* chooseCaps(clipped.kept, model);
  const at = (kept: Kept) => {
    const noise = uniformNoise(kept, objective, { epsilon, split: "even" });
    const guarantees = guaranteesOfAll(kept, objective, noise);
    const loss = lossesOf(kept, objective, noise).joint.largest().toNumberNearest();
    return { loss, error: worst(guarantees), guarantees };
  };
  const before = at(Kept.all(occupancy));
  const after = at(capped.kept);
  return {
    epsilon: epsilon.toNumberNearest(),
    /** Most grids of one user; K afterwards, and K if the theorem on the bias is taken as printed. */
    gridsBefore: occupancy.maxGridsPerUser(),
    gridsAfter: clipped.kept.maxGridsPerUser(),
    gridsAfterAsPrinted: degradationAsPrinted(occupancy, {
      width: bounds.width.toNumberNearest(),
      epsilon: epsilon.toNumberNearest(),
      protectLowest,
    }),
    errorBefore: before.error,
    errorAfter: after.error,
    /** Of the baseline, each statistic's worst over the grids, and in how many grids the error is below the data-free one. */
    meanErrorBefore: worst(before.guarantees, ({ statisticError }) => itemAt(statisticError, 0)),
    varianceErrorBefore: worst(before.guarantees, ({ statisticError }) => itemAt(statisticError, 1)),
    usefulGridsBefore: before.guarantees.filter(
      ({ error }, grid) => error.compare(dataFreeError(objective, itemAt(occupancy.samplesOfGrid, grid))) < 0,
    ).length,
    /** Joint losses of the baseline, of CLIP-USER, and of CLIP-USER with caps. */
    lossBefore: before.loss,
    lossAfter: at(clipped.kept).loss,
    lossCapped: after.loss,
    /** Of publishing midpoints. */
    dataFreeError: freeError(occupancy, objective),
  };
}

/** The frontier held against the baseline at one ε; null where it is not asked. */
export type FrontierPoint = ResultOf<typeof measureFrontier>;

export function* measureFrontier(
  { occupancy, bounds }: Subject,
  epsilonText: string,
  wanted: { readonly loss: boolean; readonly error: boolean },
) {
  const epsilon = parseDecimal(epsilonText, "epsilon");
  const kept = makeObjective(bounds, { estimator: "kept" });
  const centred = makeObjective(bounds, { estimator: "centred" });
  const all = Kept.all(occupancy);
  const noise = uniformNoise(all, kept, { epsilon, split: "even" });
  const error = maximum(Rational.ZERO, ...guaranteesOfAll(all, kept, noise).map((each) => each.error));
  const options = { unproven: true };
  function* lossAt(objective: Objective): LongWork<number> {
    if (error.toNumberNearest() >= freeError(occupancy, objective)) return 0;
    const found = yield* leastLoss(occupancy, objective, { kind: "together", error }, options);
    return lossesOf(found.kept, objective, found.noise).joint.largest().toNumberNearest();
  }
  function* errorAtSameLoss(): LongWork<number> {
    const loss = lossesOf(all, kept, noise).joint.largest();
    const found = yield* leastError(occupancy, centred, loss, options);
    return worst(guaranteesOfAll(found.kept, centred, found.noise));
  }
  return {
    epsilon: epsilon.toNumberNearest(),
    /** Least joint loss at the baseline's error, by estimator; 0 where midpoints are as good. */
    lossKept: wanted.loss ? yield* lossAt(kept) : null,
    lossCentred: wanted.loss ? yield* lossAt(centred) : null,
    /** Least error at the baseline's joint loss, centred. */
    errorAtLoss: wanted.error ? yield* errorAtSameLoss() : null,
  };
}

/** Of every grid: none is empty here, or the estimator is the centred one. */
function guaranteesOfAll(...plan: Parameters<typeof guaranteesOf>): Guarantee[] {
  return guaranteesOf(...plan).flatMap((each) => each ?? []);
}

function worst(guarantees: readonly Guarantee[], error = (of: Guarantee): Rational => of.error): number {
  return guarantees.reduce((most, each) => Math.max(most, error(each).toNumberNearest()), 0);
}

function freeError(occupancy: Occupancy, objective: Objective): number {
  return occupancy.samplesOfGrid.reduce(
    (most, total) => Math.max(most, dataFreeError(objective, total).toNumberNearest()),
    0,
  );
}
