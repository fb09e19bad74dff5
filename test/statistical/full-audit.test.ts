/** The full audit in short: every case goes from records through the engine, attains its claim, and is not called broken; planted mistakes are found. */
import { beforeAll, describe, expect, test } from "vitest";
import { loadLinearSolver } from "../../src/apps/operations/index.ts";
import { STATISTICS } from "../../src/core/influence/index.ts";
import {
  type Attack,
  attackMechanism,
  type FullAudit,
  fullAudit,
  makeScenario,
  plantedMistakes,
  releaseMechanism,
  SHARED_GRIDS,
} from "../../src/evidence/audit/index.ts";
import { fullAuditText } from "../../src/publish/report/index.ts";
import { isFull } from "../support/full.ts";
import { replayedBytes } from "../support/replayed-bytes.ts";

describe("in short", () => {
  let report: FullAudit;
  beforeAll(async () => {
    // A sound build is called broken with one seed in a thousand; the bytes are the same in every run.
    const solver = await loadLinearSolver();
    report = await fullAudit({ runs: 1_000, confidence: 0.999, solver, random: replayedBytes(11) });
  }, 600_000);

  test("attacks every strategy, estimator and statistic, and every number of a grid that one user owns", () => {
    const names = new Set(report.cases.map(({ strategy, estimator }) => `${strategy}, ${estimator}`));
    expect([...names]).toEqual([
      "baseline, kept",
      "baseline, centred",
      "clip-user, kept",
      "clip-user --caps, kept",
      "clip-user-optimal, kept",
      "frontier, kept",
      "frontier, centred",
      "balanced, weighted",
      "balanced, 2 passes, weighted",
    ]);
    const alone = new Set(report.cases.map(({ published }) => published).filter((each) => !each.includes(",")));
    expect([...alone].map((key) => key.split(":")[0]).sort()).toEqual(STATISTICS.map(({ name }) => name).sort());
    // Histograms have no second pass.
    expect(report.cases).toHaveLength(9 * (STATISTICS.length + 2) - 2 + 2 * STATISTICS.length);
  });

  test("every pair attains its claim, or nearly, and comes out of the engine as arithmetic says; none is refuted", () => {
    for (const one of report.cases) {
      const name = [one.strategy, one.estimator, one.published, one.name].join(", ");
      expect(one, name).toMatchObject({ totalsAsExpected: true, broken: false });
      // Windows, and vertices of parabolas, leave a little of a balanced plan's claim unattained.
      if (one.estimator === "weighted") expect(one.attained / one.claim, name).toBeGreaterThan(0.95);
      else expect(one.attained, name).toBeCloseTo(one.claim, 9);
      expect(one.attained, name).toBeLessThan(one.claim * (1 + 1e-9));
      expect(one.demonstrated, name).toBeGreaterThanOrEqual(0);
    }
    expect(report.adaptive).toMatchObject({ broken: false, changedAnswers: 0, misCharged: 0 });
    expect(report.broken).toBe(false);
  });

  test("so few runs do not find every planted mistake, and the verdict says that this audit is blind", () => {
    expect(report.planted).toHaveLength(9);
    expect(report.blind).toBe(report.planted.some(({ found }) => !found));
    expect(fullAuditText(report)).toContain(report.blind ? "BLIND" : "every planted mistake was found");
    expect(fullAuditText({ ...report, broken: true })).toContain("BROKEN");
  });
});

// audit.test.ts plants such mistakes in every run.
test.runIf(isFull)(
  "with more runs each planted mistake is found, and the true mechanism passes",
  async () => {
    const [whole] = makeScenario(SHARED_GRIDS, { epsilon: "1" }).attacks as [Attack];
    const [, single] = makeScenario(SHARED_GRIDS, { epsilon: "2" }).attacks as [Attack, Attack];
    const random = replayedBytes(12);
    /** A true claim is called broken with one seed in 20,000; the bytes are the same in every run. */
    const options = { runs: 20_000, confidence: 1 - 1 / 20_000 };
    for (const { name, attack: planted, mechanism } of plantedMistakes({ single, whole }, random))
      expect(await attackMechanism(planted, mechanism, options), name).toMatchObject({ broken: true });
    for (const attack of [single, whole])
      expect(await attackMechanism(attack, releaseMechanism(random), options)).toMatchObject({ broken: false });
  },
  600_000,
);
