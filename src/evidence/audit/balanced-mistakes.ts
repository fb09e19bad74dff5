/** Mistakes planted in balanced plans, which an audit must find: in weights, passes, rings and windows. */
import { Rational } from "../../core/arithmetic/index.ts";
import { itemAt } from "../../core/errors/index.ts";
import { largestMove, makeBounds, widthOf } from "../../core/influence/index.ts";
import { type ByteSource, discreteLaplace, RandomBits } from "../../core/noise/index.ts";
import {
  earlierNumbers,
  earlierParts,
  lastNumbers,
  lastPass,
  onLattice,
  partText,
} from "../../publish/release/index.ts";
import { type DrawnAttack, sum } from "./attack.ts";
import {
  type BalancedScenario,
  type Books,
  balancedFacts,
  balancedScenario,
  chargeFor,
  drawRelease,
  evidenceOf,
  looksAt,
  wholeBalanced,
} from "./balanced-attack.ts";
import type { PlannedArray, Side } from "./scenario.ts";

/** For one grid that two users share unevenly: the mean in one pass and in two, and mean and variance in one. */
interface MistakenPlans {
  readonly once: PlannedArray;
  readonly twice: PlannedArray;
  readonly squares: PlannedArray;
}

export async function balancedMistakes(plans: MistakenPlans, random: ByteSource): Promise<DrawnAttack[]> {
  const scenario = balancedScenario(plans.twice, lightUser(plans.twice));
  return [
    await forgottenWeight(plans.once, random),
    await unpublishedCentre(scenario, random),
    await openRings(scenario, random),
    await secondFirstPass(scenario, random),
    clampedRecords(plans.squares, random),
  ];
}

/** Whose weight is more than its share of the records. */
function lightUser({ occupancy }: PlannedArray) {
  return { name: "whole release", user: occupancy.users.indexOf("light") };
}

/** The light user is charged for its share of the records, p·R. */
async function forgottenWeight(planned: PlannedArray, random: ByteSource): Promise<DrawnAttack> {
  const scenario = balancedScenario(planned, lightUser(planned));
  const { occupancy, request, victim } = scenario;
  const entry = itemAt(occupancy.byUser.start, victim.user);
  const share = Rational.of(itemAt(occupancy.byUser.count, entry), itemAt(occupancy.samplesOfGrid, 0));
  const claim = share.multiply(itemAt(request.terms.rates, 0)).toNumberNearest();
  const { attack, evidenceOf } = await wholeBalanced(scenario, random);
  return { attack: { ...attack, claim, name: "a weight forgotten in the loss" }, evidenceOf };
}

/** Windows lie around the exact first numbers, though noisy ones are published: where they lie says which dataset it is. */
async function unpublishedCentre(scenario: BalancedScenario, random: ByteSource): Promise<DrawnAttack> {
  const facts = await balancedFacts(scenario, { random });
  const [first = ""] = earlierParts(scenario.plan);
  return {
    attack: { ...facts, name: "a window from numbers that are not published" },
    evidenceOf: async (side) => {
      const books: Books = (part, text) => ({
        published: text,
        used: part === first ? withoutNoise(scenario, { part, side, committed: new Map() }) : text,
      });
      const { rows } = await drawRelease(scenario, { side, random, books });
      return rows[0]?.weighted?.centre.toNumberNearest() ?? 0;
    },
  };
}

/** Rings are published without noise; charged are they and the first pass, around whose numbers they lie. */
async function openRings(scenario: BalancedScenario, random: ByteSource): Promise<DrawnAttack> {
  const [first = "", rings = ""] = earlierParts(scenario.plan);
  const facts = await balancedFacts(scenario, { random, parts: [first, rings] });
  return {
    attack: { ...facts, name: "rings without noise" },
    evidenceOf: async (side) => {
      const { committed, rows } = await drawRelease(scenario, { side, random });
      const open = new Map(committed).set(rings, withoutNoise(scenario, { part: rings, side, committed }));
      return evidenceOf(looksAt(scenario, { committed: open, rows }, [rings]));
    },
  };
}

/** A retry after the first pass makes it again: two draws are out, one is charged. */
async function secondFirstPass(scenario: BalancedScenario, random: ByteSource): Promise<DrawnAttack> {
  const parts = earlierParts(scenario.plan).slice(0, 1);
  const facts = await balancedFacts(scenario, { random, parts });
  return {
    attack: { ...facts, name: "a first pass that was not committed" },
    evidenceOf: async (side) => {
      const draw = async (): Promise<number> =>
        evidenceOf(looksAt(scenario, await drawRelease(scenario, { side, random }), parts));
      return (await draw()) + (await draw());
    },
  };
}

function withoutNoise(
  { request, exact }: BalancedScenario,
  { part, side, committed }: { part: string; side: Side; committed: ReadonlyMap<string, string> },
): string {
  const numbers = earlierNumbers(part, request, committed, exact[side]);
  return partText(
    part,
    numbers.map((row) => row.map(onLattice)),
  );
}

/**
 * The mean's window is a tenth of the range, the squares' all of theirs. Records clamped to the mean's window hardly differ in their
 * squares, so that the noise would be about half of what it must be: averages are clamped, and those of squares move all the way.
 */
function clampedRecords(planned: PlannedArray, random: ByteSource): DrawnAttack {
  const { bounds } = planned.plan.objective;
  const reach = bounds.width.divide(Rational.of(20));
  const middle = bounds.lower.add(bounds.width.divide(Rational.of(2)));
  const inside = makeBounds(middle.subtract(reach), middle.add(reach));
  const at = (value: Rational): bigint =>
    value.subtract(bounds.lower).divide(planned.plan.latticeStep).roundHalfUpToInteger();
  // From the lower bound, clamped to the window's lower end, to its upper end: the squares fall to next to nothing.
  const victim = lightUser(planned);
  const scenario = balancedScenario(planned, victim, { before: 0n, after: at(inside.upper) });
  const { request, exact, plan } = scenario;
  const { features } = request.evaluation;
  const windows = [{ low: inside.lower, high: inside.upper }, null];
  const last = { ...lastPass(request, new Map()), windows: [windows] };
  const numbers = {
    before: lastNumbers(request, last, 0, exact.before),
    after: lastNumbers(request, last, 0, exact.after),
  };
  const scales = numbers.before.map(({ scale }) => scale);
  const widths = [inside.width, ...features.slice(1).map(widthOf)];
  const share = largestMove(features, scales, { bounds: inside, widths }).divide(
    largestMove(features, scales, { bounds, widths }),
  );
  const uniform = new RandomBits(random);
  const looks = numbers.before.map((one, index) => {
    const { steps: before, stepExponent } = onLattice(one);
    const { steps: after } = onLattice(itemAt(numbers.after, index));
    const inSteps = one.scale.divide(Rational.powerOfTwo(stepExponent));
    const rounded = { before, after };
    return { part: itemAt(plan.grids, 0), rounded, inSteps, scale: inSteps.toNumberNearest() };
  });
  const apart = looks.map(
    ({ rounded, scale }) => Math.abs(Number(itemAt(rounded.after, 0) - itemAt(rounded.before, 0))) / scale,
  );
  return {
    attack: {
      name: "a window's diameter taken from clamped records",
      ...{
        claim: chargeFor(scenario, plan.grids),
        attained: sum(apart),
        apart,
        tight: false,
        statistics: looks.length,
      },
    },
    evidenceOf: (side) =>
      evidenceOf(
        looks.map((each) => ({
          ...each,
          steps: each.rounded[side].map((steps) => steps + discreteLaplace(uniform, each.inSteps.multiply(share))),
        })),
      ),
  };
}
