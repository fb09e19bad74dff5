/** The attacker comes close to what the true mechanism gives away, never claims more, and catches planted mistakes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { Rational } from "../../src/core/arithmetic/index.ts";
import { makeObjective, parseBounds } from "../../src/core/influence/index.ts";
import { discreteLaplace, RandomBits } from "../../src/core/noise/index.ts";
import { occupancyFromTriples } from "../../src/core/occupancy/index.ts";
import {
  type Attack,
  attackLedger,
  attackMechanism,
  demonstrate,
  type Mechanism,
  makeScenario,
  OWNED_GRID,
  releaseMechanism,
  SHARED_GRIDS,
  scenarioOf,
  type Target,
} from "../../src/evidence/audit/index.ts";
import { type CommitRequest, Ledger, openLedgerFile, SqliteStore } from "../../src/publish/ledger/index.ts";
import { addNoise } from "../../src/publish/release/index.ts";
import { isFull } from "../support/full.ts";
import { replayedBytes } from "../support/replayed-bytes.ts";
import { trimmedPlan } from "../support/trimmed-plan.ts";

/** A true claim is called broken with one seed in 20,000; the bytes are the same in every run. */
const CONFIDENCE = 1 - 1 / 20_000;
const random = replayedBytes(1);

describe("the true mechanism", () => {
  test.each(
    isFull ? ["0.5", "1", "1.5"] : ["1"],
  )("ε = %s in each of two grids: within its claim, and close to it", async (epsilon) => {
    const { attacks } = makeScenario(SHARED_GRIDS, { epsilon });
    const report = await attackMechanism(attacks[0]!, releaseMechanism(random), {
      runs: 60_000,
      confidence: CONFIDENCE,
    });
    expect(report.claim).toBeCloseTo(2 * Number(epsilon), 9);
    expect(report).toMatchObject({ tight: true, statistics: 4, broken: false });
    expect(report.demonstrated).toBeGreaterThan(0.85 * report.atBest);
    expect(report.demonstrated).toBeGreaterThan(0.65 * report.claim);
  });

  test("every statistic on its own, also of a user who owns most of a grid", async () => {
    for (const counts of [SHARED_GRIDS, OWNED_GRID]) {
      const { attacks } = makeScenario(counts, { epsilon: "2" });
      for (const attack of attacks.slice(1)) {
        const report = await attackMechanism(attack, releaseMechanism(random), {
          runs: 20_000,
          confidence: CONFIDENCE,
        });
        expect(report, attack.name).toMatchObject({ claim: 1, broken: false, statistics: 1 });
        expect(report.demonstrated, attack.name).toBeGreaterThan(0.8);
      }
    }
  });

  test("a joint claim that no data attains is said to be such", () => {
    expect(makeScenario(OWNED_GRID, { epsilon: "1" }).attacks[0]).toMatchObject({
      name: "whole release",
      tight: false,
    });
  });
});

describe("the centred mechanism", () => {
  /** Heavy users trimmed, one suppressed, a grid emptied. */
  const occupancy = occupancyFromTriples([...SHARED_GRIDS, ["heavy", "west", 3], ["light", "west", 1]]);
  const KEPT: Readonly<Record<string, number>> = {
    "heavy north": 4,
    "third north": 3,
    "heavy south": 4,
    "fourth south": 2,
    "third south": 0,
  };
  const made = trimmedPlan(occupancy, {
    objective: makeObjective(parseBounds("0,65"), { estimator: "centred" }),
    epsilon: Rational.of(2),
    kept: (user, grid, records) => (grid === "west" ? 0 : (KEPT[`${user} ${grid}`] ?? records)),
  });
  const { attacks, plan, evaluation } = scenarioOf(occupancy, made);
  const bytes = replayedBytes(2);

  test("attacks the mean, for which records that are left out are read too, and the variance; never the emptied grid", () => {
    expect(attacks.map(({ name }) => name)).toEqual([
      "whole release",
      "mean of north",
      "variance of north",
      "mean of south",
      "variance of south",
    ]);
    expect(evaluation.kept.ofGrid[2]).toBe(0);
    expect(plan.noise[2]!.scales.every((scale) => scale.isZero())).toBe(true);
    // All that a user can do: Γ·U/n, though its records are more than Γ.
    const [mean] = attacks[1]!.targets;
    expect(mean!.exact.after[0]!.subtract(mean!.exact.before[0]!)).toEqual(Rational.of(65 * 4, 18));
  });

  test("stays within its claim, and comes close to it", async () => {
    const report = await attackMechanism(attacks[0]!, releaseMechanism(bytes), {
      runs: 60_000,
      confidence: CONFIDENCE,
    });
    expect(report).toMatchObject({ tight: true, statistics: 4, broken: false });
    expect(report.demonstrated).toBeGreaterThan(0.85 * report.atBest);
    for (const attack of attacks.slice(1)) {
      const single = await attackMechanism(attack, releaseMechanism(bytes), { runs: 20_000, confidence: CONFIDENCE });
      expect(single, attack.name).toMatchObject({ claim: 1, broken: false, statistics: 1 });
      expect(single.demonstrated, attack.name).toBeGreaterThan(0.8);
    }
  });

  test("would be broken by the paper's statistics with its noise, which is less", async () => {
    const uniform = new RandomBits(bytes);
    // As if the kept records were all there is: n/k times as far apart.
    const paper: Mechanism = (target, side) => {
      const share = Rational.of(target.counts.total, target.counts.kept);
      return addNoise(
        target.exact[side].map((value) => value.multiply(share)),
        target,
        uniform,
      ).steps;
    };
    expect(await isCaught(attacks[3]!, paper)).toBe(true);
    expect(await isCaught(attacks[3]!, releaseMechanism(bytes))).toBe(false);
  });
});

/** Draws with another scale than the right one. */
function withScale(scaleOf: (target: Target, right: Rational) => Rational): Mechanism {
  const uniform = new RandomBits(random);
  return (target, side) => {
    const { deltaSteps } = addNoise(target.exact[side], target, uniform);
    const right = Rational.of(deltaSteps).divide(target.epsilon);
    return target.rounded[side].map((steps) => steps + discreteLaplace(uniform, scaleOf(target, right)));
  };
}

async function isCaught(attack: Attack, mechanism: Mechanism): Promise<boolean> {
  return (await attackMechanism(attack, mechanism, { runs: 20_000, confidence: CONFIDENCE })).broken;
}

describe("a planted mistake is caught", () => {
  const shared = makeScenario(SHARED_GRIDS, { epsilon: "1" }).attacks;
  const owned = makeScenario(OWNED_GRID, { epsilon: "1" }).attacks;

  test("half the noise", async () => {
    const halved = withScale((_, right) => right.divide(Rational.of(2)));
    for (const attack of [shared[0]!, shared[1]!, shared[2]!]) expect(await isCaught(attack, halved)).toBe(true);
  });

  test("noise for the variance by the theorem with its cases reversed", async () => {
    // Where one user owns more than half, the printed theorem takes owned·(n − owned)/n² instead of the quarter.
    const reversed = withScale(({ statistic, counts }, right) => {
      if (statistic.key !== "variance") return right;
      const [n, m, i] = [counts.kept, counts.largest, Math.min(counts.largest, Math.floor(counts.kept / 2))];
      return right.multiply(Rational.of(m * (n - m), i * (n - i)));
    });
    const variance = owned.find((attack) => attack.name.startsWith("variance"))!;
    expect(await isCaught(variance, reversed)).toBe(true);
    expect(
      await isCaught(
        variance,
        withScale((_, right) => right),
      ),
    ).toBe(false);
  });

  test("noise for a lighter user", async () => {
    const lighter = withScale(({ counts }, right) => right.multiply(Rational.of(counts.largest - 2, counts.largest)));
    expect(await isCaught(shared[0]!, lighter)).toBe(true);
  });

  test("a grid forgotten in the composition", async () => {
    const whole = shared[0]!;
    const forgetful = { ...whole, claim: whole.targets.slice(0, 2).reduce((sum, target) => sum + target.claim, 0) };
    expect(forgetful.claim).toBeCloseTo(1, 9);
    expect(await isCaught(forgetful, releaseMechanism(random))).toBe(true);
    expect(await isCaught(whole, releaseMechanism(random))).toBe(false);
  });

  test("fresh noise when a release is asked for again, on the durable store", async () => {
    /** Forgets that it has committed: gives out the caller's own copy, every time. */
    class Forgetful extends Ledger {
      override async reserve(request: Parameters<Ledger["reserve"]>[0]): ReturnType<Ledger["reserve"]> {
        const reservation = await super.reserve(request);
        return { ...reservation, committed: new Map(), toCompute: request.parts };
      }

      override async commit(request: CommitRequest): ReturnType<Ledger["commit"]> {
        return { ...(await super.commit(request)), texts: new Map(request.parts) };
      }
    }
    const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-"));
    try {
      const scenario = makeScenario(SHARED_GRIDS, { epsilon: "1" });
      await using sound = await openLedgerFile(path.join(folder, "sound.db"), { create: true });
      expect(await attackLedger(scenario, { releases: 5, random, ledger: sound })).toEqual({
        releases: 5,
        changedAnswers: 0,
        chargedTwice: 0,
        consistent: true,
        broken: false,
      });
      await (await openLedgerFile(path.join(folder, "forgetful.db"), { create: true }))[Symbol.asyncDispose]();
      await using forgetful = new Forgetful(await SqliteStore.open(path.join(folder, "forgetful.db"), {}));
      expect(await attackLedger(scenario, { releases: 5, random, ledger: forgetful })).toMatchObject({
        changedAnswers: 5,
        broken: true,
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

test("coins of known bias: the bound holds, and is close", () => {
  const runs = 40_000;
  const side = (share: number): Float64Array =>
    Float64Array.from({ length: runs }, (_, run) => Number(run % 1000 < 1000 * share));
  const { epsilon } = demonstrate({ before: side(0.1), after: side(0.4) }, 0.95);
  expect(epsilon).toBeLessThan(Math.log(4));
  expect(epsilon).toBeGreaterThan(0.9 * Math.log(4));
  expect(demonstrate({ before: side(0.3), after: side(0.3) }, 0.95).epsilon).toBe(0);
});
