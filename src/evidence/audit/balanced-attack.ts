/** Attacks on balanced plans: the worst two datasets' sums, whole releases drawn from them, and how strongly the texts of all passes point to the second. */
import { Rational } from "../../core/arithmetic/index.ts";
import { invariant, itemAt } from "../../core/errors/index.ts";
import { LOSS_UNITS_PER_ONE } from "../../core/influence/index.ts";
import type { ByteSource } from "../../core/noise/index.ts";
import type { Occupancy } from "../../core/occupancy/index.ts";
import { inputLattice } from "../../core/planning/index.ts";
import type { EntrySums } from "../../data/engines/index.ts";
import {
  charges,
  earlierNumbers,
  earlierParts,
  FeatureSums,
  featureRequest,
  lastNumbers,
  lastPass,
  onLattice,
  partsOf,
  type ReleasedGrid,
  type ReleaseParties,
  readPart,
  readResult,
  release,
} from "../../publish/release/index.ts";
import { type AttackFacts, type DrawnAttack, evidenceIn, sum } from "./attack.ts";
import { REQUEST } from "./ledger-attack.ts";
import type { BySide, PlannedArray, Side, Target, Victim } from "./scenario.ts";

/** A balanced plan and the worst two datasets for one user: everybody's values are at the lower bound, the user's alike in all its records. */
export type BalancedScenario = ReturnType<typeof balancedScenario>;

/** Where the user's values lie on the input lattice is chosen for the first grid: all grids have the same features, in the same ratios. */
export function balancedScenario(planned: PlannedArray, victim: Victim, given?: BySide<bigint>) {
  const { occupancy, plan, evaluation } = planned;
  const { balanced: terms } = plan;
  invariant(terms !== undefined && evaluation.balanced !== undefined, "a balanced plan is attacked");
  const request = { plan, terms, evaluation: evaluation.balanced };
  const lattice = { bounds: plan.objective.bounds, step: plan.latticeStep };
  const { features, weights } = request.evaluation;
  const asked = featureRequest(features, lattice);
  const known = (index: bigint): EntrySums => sumsAt(occupancy, victim, { index, thresholds: asked.thresholds });
  const exact = (sums: EntrySums): FeatureSums => new FeatureSums(weights, sums, features, lattice);
  const { steps } = inputLattice(lattice.bounds, lattice.step);
  const firstGrid = itemAt(occupancy.byUser.grid, itemAt(occupancy.byUser.start, victim.user));
  // Of two passes, centres lie near the lower bound, where all others are: the upper one is farthest from them.
  const worst = (): BySide<bigint> =>
    terms.passes === 2
      ? { before: 0n, after: steps }
      : farthestApart(candidates(steps, asked.thresholds), (index) =>
          lastNumbers(request, lastPass(request, new Map()), firstGrid, exact(known(index))),
        );
  const values = given ?? worst();
  return {
    ...planned,
    victim,
    request,
    asked,
    values,
    sums: { before: known(values.before), after: known(values.after) },
    exact: { before: exact(known(values.before)), after: exact(known(values.after)) },
    /** Exact numbers of parts that nothing is published before, once they were worked out. */
    fixed: new Map<string, BySide<ReturnType<typeof lastNumbers>>>(),
  };
}

/** What engines must find in the records, by arithmetic. */
function sumsAt(
  occupancy: Occupancy,
  { user }: Victim,
  { index, thresholds }: { index: bigint; thresholds: readonly bigint[] },
): EntrySums {
  const value = (entry: number): bigint => (occupancy.userOfEntry(entry) === user ? index : 0n);
  const count = (entry: number): number => itemAt(occupancy.byUser.count, entry);
  return {
    sum: (entry) => BigInt(count(entry)) * value(entry),
    sumOfSquares: (entry) => BigInt(count(entry)) * value(entry) ** 2n,
    atLeast: (threshold, entry) => (value(entry) >= itemAt(thresholds, threshold) ? count(entry) : 0),
  };
}

const PARTS = 64;

/** Bounds, both sides of every cut, and places between for the vertices of parabolas. */
function candidates(steps: bigint, thresholds: readonly bigint[]): bigint[] {
  const places = Array.from({ length: PARTS + 1 }, (_, part) => (steps * BigInt(part)) / BigInt(PARTS));
  return [...places, ...thresholds.flatMap((threshold) => [threshold - 1n, threshold])].filter(
    (index) => index >= 0n && index <= steps,
  );
}

function farthestApart(
  indices: readonly bigint[],
  numbersAt: (index: bigint) => ReturnType<typeof lastNumbers>,
): BySide<bigint> {
  const points = indices.map((index) => {
    const inScales = numbersAt(index).flatMap(({ exact, scale }) =>
      exact.map((each) => each.divide(scale).toNumberNearest()),
    );
    return { index, inScales };
  });
  let most = { values: { before: 0n, after: 0n }, distance: -1 };
  for (const one of points)
    for (const other of points) {
      const distance = sum(one.inScales.map((each, at) => Math.abs(each - itemAt(other.inScales, at))));
      if (distance > most.distance) most = { values: { before: one.index, after: other.index }, distance };
    }
  return most.values;
}

/** What came out of a release: the texts of the passes before the last, and the result's rows. */
export interface Transcript {
  readonly committed: ReadonlyMap<string, string>;
  readonly rows: readonly ReleasedGrid[];
}

/** What becomes of a pass's text: what is published, and what the next pass is made from. The same, unless by mistake. */
export type Books = (part: string, text: string) => { readonly published: string; readonly used: string };

const SOUND: Books = (_, text) => ({ published: text, used: text });

/** Draws one whole release of a side's dataset. */
export async function drawRelease(
  { occupancy, plan, evaluation, sums }: BalancedScenario,
  { side, random, books = SOUND }: { side: Side; random: ByteSource; books?: Books },
): Promise<Transcript> {
  const committed = new Map<string, string>();
  const ledger: ReleaseParties["ledger"] = {
    reserve: async ({ header, parts }) => ({
      ...{ header, committed: new Map(), charged: parts, toCompute: parts },
      resumed: false,
    }),
    commit: async ({ planHash, parts }) => {
      const texts = new Map<string, string>();
      for (const [part, text] of parts) {
        const { published, used } = books(part, text);
        committed.set(part, published);
        texts.set(part, used);
      }
      return { planHash, header: "", texts };
    },
  };
  const engine = {
    readSums: async () => ({ sums: sums[side], clampedValues: 0 }),
    readTotals: () => Promise.reject(new TypeError("balanced plans are made of sums")),
  };
  const request = { ...REQUEST, occupancy, plan, evaluation, key: "audit" };
  const { text } = await release({ engine, ledger, random }, request);
  return { committed, rows: readResult(text).rows };
}

/** A published number with what it would be without noise on either dataset, everything that was published before it given. */
export interface Look extends Pick<Target, "scale" | "rounded"> {
  readonly part: string;
  readonly steps: readonly bigint[];
}

/** At these parts of a transcript. */
export function looksAt(scenario: BalancedScenario, { committed, rows }: Transcript, parts: readonly string[]): Look[] {
  const { plan, request, exact, fixed } = scenario;
  const [first] = earlierParts(plan);
  const look = (
    part: string,
    published: ReadonlyArray<Pick<Look, "steps">>,
    numbersOn: (sums: FeatureSums) => ReturnType<typeof lastNumbers>,
  ): Look[] => {
    const { before, after } = fixed.get(part) ?? { before: numbersOn(exact.before), after: numbersOn(exact.after) };
    if (first === undefined || part === first) fixed.set(part, { before, after });
    return published.map(({ steps }, at) => {
      const [one, other] = [itemAt(before, at), itemAt(after, at)];
      const { steps: roundedBefore, stepExponent } = onLattice(one);
      return {
        ...{ part, steps },
        rounded: { before: roundedBefore, after: onLattice(other).steps },
        scale: one.scale.divide(Rational.powerOfTwo(stepExponent)).toNumberNearest(),
      };
    });
  };
  const earlier = earlierParts(plan).filter((part) => parts.includes(part));
  const grids = rows.filter(({ grid }) => parts.includes(grid));
  const last = grids.length === 0 ? undefined : lastPass(request, committed);
  return [
    ...earlier.flatMap((part) =>
      look(part, readPart(part, committed).flat(), (sums) => earlierNumbers(part, request, committed, sums).flat()),
    ),
    ...grids.flatMap(({ grid, weighted }) =>
      last === undefined || weighted === undefined
        ? []
        : look(grid, weighted.features, (sums) => lastNumbers(request, last, plan.grids.indexOf(grid), sums)),
    ),
  ];
}

export function evidenceOf(looks: readonly Look[]): number {
  return sum(looks.flatMap((each) => evidenceIn(each, each.steps)));
}

/** Releases from which it is seen how far apart numbers are, whose windows differ from release to release. */
const SAMPLE = 40;
/** Vertices of parabolas are looked for on a lattice. */
const TIGHT_WITHIN = 0.01;

/** All parts, unless fewer are named. */
export async function balancedFacts(
  scenario: BalancedScenario,
  { random, parts = partsOf(scenario.plan, scenario.plan.grids) }: { random: ByteSource; parts?: readonly string[] },
): Promise<AttackFacts> {
  const { victim, plan } = scenario;
  const samples: number[][] = [];
  const draws = plan.balanced?.passes === 2 ? SAMPLE : 1;
  for (let draw = 0; draw < draws; draw++) {
    const looks = looksAt(scenario, await drawRelease(scenario, { side: "after", random }), parts);
    samples.push(looks.flatMap(apartIn));
  }
  const apart = itemAt(samples, 0).map((_, at) => sum(samples.map((sample) => itemAt(sample, at))) / draws);
  const claim = chargeFor(scenario, parts);
  return {
    ...{ name: victim.name, claim, apart },
    attained: sum(apart),
    tight: Math.max(...samples.map(sum)) > claim * (1 - TIGHT_WITHIN),
    statistics: apart.length,
  };
}

/** The largest first: which ring a user leaves, and which it enters, differs from release to release. */
function apartIn({ rounded, scale }: Look): number[] {
  const distances = rounded.before.map((steps, at) => Math.abs(Number(itemAt(rounded.after, at) - steps)) / scale);
  return distances.sort((one, other) => other - one);
}

/** What the ledger charges the attacked user for these parts. */
export function chargeFor({ occupancy, plan, evaluation, victim }: BalancedScenario, parts: readonly string[]): number {
  const user = occupancy.users.get(victim.user);
  for (const [charged, units] of charges(occupancy, plan, evaluation, parts))
    if (charged === user) return Rational.of(units, LOSS_UNITS_PER_ONE).toNumberNearest();
  return 0;
}

/** Everything that is published, by the real passes. */
export async function wholeBalanced(scenario: BalancedScenario, random: ByteSource): Promise<DrawnAttack> {
  const parts = partsOf(scenario.plan, scenario.plan.grids);
  return {
    attack: await balancedFacts(scenario, { random }),
    evidenceOf: async (side) => evidenceOf(looksAt(scenario, await drawRelease(scenario, { side, random }), parts)),
  };
}
