/** Balanced plans under attack, by all their committed passes: within the claim whatever the windows become, close to it, and planted mistakes are found. */
import { expect, test } from "vitest";
import { occupancyFromTriples } from "../../src/core/occupancy/index.ts";
import { makePlan, runNow } from "../../src/core/planning/index.ts";
import {
  type AuditCase,
  attackBy,
  balancedCase,
  balancedCases,
  balancedMistakes,
  balancedScenario,
  type Counts,
  drawRelease,
  looksAt,
  MANY_USERS,
  OWNED_GRID,
  type PlannedArray,
  wholeBalanced,
  wholeRelease,
} from "../../src/evidence/audit/index.ts";
import { partsOf } from "../../src/publish/release/index.ts";
import { isFull } from "../support/full.ts";
import { replayedBytes } from "../support/replayed-bytes.ts";

/** A true claim is called broken with one seed in 20,000; the bytes are the same in every run. */
const CONFIDENCE = 1 - 1 / 20_000;

function planFor(counts: Counts, { request }: AuditCase): PlannedArray {
  const occupancy = occupancyFromTriples(counts);
  return { occupancy, ...runNow(makePlan(occupancy, request)) };
}

test("the two datasets are never farther apart than is charged, whatever came out of earlier passes", async () => {
  const random = replayedBytes(21);
  for (const of of balancedCases()) {
    const planned = planFor(MANY_USERS, of);
    const scenario = balancedScenario(planned, wholeRelease(planned));
    const claim = planned.evaluation.joint.of(scenario.victim.user).toNumberNearest();
    for (const side of ["before", "after"] as const)
      for (let draw = 0; draw < (isFull ? 100 : 5); draw++) {
        const transcript = await drawRelease(scenario, { side, random });
        const looks = looksAt(scenario, transcript, partsOf(planned.plan, planned.plan.grids));
        const apart = looks.flatMap(({ rounded, scale }) =>
          rounded.before.map((steps, at) => Math.abs(Number(rounded.after[at]! - steps)) / scale),
        );
        const attained = apart.reduce((sum, each) => sum + each, 0);
        expect(attained, of.strategy + of.statistics).toBeLessThan(claim * (1 + 1e-9));
        expect(attained, of.strategy + of.statistics).toBeGreaterThan(0.5 * claim);
      }
  }
});

test.each([1, 2] as const)("the mean, %i passes: within its claim, and close to it", async (passes) => {
  const random = replayedBytes(22);
  const planned = planFor(OWNED_GRID, balancedCase("mean", passes));
  const attack = await wholeBalanced(balancedScenario(planned, wholeRelease(planned)), random);
  const report = await attackBy(attack, { runs: isFull ? 20_000 : 1_000, confidence: CONFIDENCE });
  expect(report).toMatchObject({ tight: true, broken: false });
  expect(report.claim).toBeCloseTo(2 * passes, 9);
  expect(report.demonstrated).toBeGreaterThan(0.8 * report.atBest);
  expect(report.demonstrated).toBeGreaterThan(0.4 * report.claim);
});

test("centres say no more than is charged where they are made of what was published", async () => {
  const random = replayedBytes(24);
  const planned = planFor(OWNED_GRID, balancedCase("mean", 2));
  const scenario = balancedScenario(planned, wholeRelease(planned));
  const { attack } = await wholeBalanced(scenario, random);
  const evidenceOf = async (side: "before" | "after"): Promise<number> =>
    (await drawRelease(scenario, { side, random })).rows[0]!.weighted!.centre.toNumberNearest();
  // They are made of the first pass alone.
  const firstPass = { ...attack, claim: attack.claim / 5 };
  const options = { runs: isFull ? 6_000 : 1_000, confidence: CONFIDENCE };
  expect(await attackBy({ attack: firstPass, evidenceOf }, options)).toMatchObject({ broken: false });
});

test("planted mistakes are found", async () => {
  const random = replayedBytes(23);
  const plans = {
    once: planFor(OWNED_GRID, balancedCase("mean", 1)),
    twice: planFor(OWNED_GRID, balancedCase("mean", 2)),
    squares: planFor(OWNED_GRID, balancedCase("mean,variance", 1)),
  };
  // The last two are seen by more runs only.
  const mistakes = (await balancedMistakes(plans, random)).slice(0, isFull ? 5 : 3);
  for (const mistake of mistakes)
    expect(
      await attackBy(mistake, { runs: isFull ? 6_000 : 1_000, confidence: CONFIDENCE }),
      mistake.attack.name,
    ).toMatchObject({ broken: true });
});
