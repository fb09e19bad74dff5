/** Balanced plans from counts to file and back: losses asked for, guarantees met or refused, altered plans refused. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HOSTILE, hostileArrays, randomArray } from "../../../../test/support/weighted-arrays.ts";
import { parseDecimal, Rational } from "../../arithmetic/index.ts";
import { defaultMetric, makeObjective, parseBounds } from "../../influence/index.ts";
import { MOST_WEIGHT, type Occupancy } from "../../occupancy/index.ts";
import { checkPlan } from "../check-plan.ts";
import { runNow } from "../long-work.ts";
import { makePlan } from "../make-plan.ts";
import type { Plan, PlanContent } from "../plan.ts";
import { freezePlan, planText, readPlan } from "../plan-file.ts";
import type { BalancedGoal } from "./balance.ts";
import { parseSpread } from "./spread.ts";
import { type BalancedTerms, RINGS } from "./terms.ts";

const bounds = parseBounds("0,65");
const ALONE = ["mean", "variance", "share:0", "share:50", "sum", "histogram:10/20/30", "second-moment"];
const TOGETHER = "mean,variance,share:50,histogram:10/20";

function planned(occupancy: Occupancy, statistics: string, goal: Omit<BalancedGoal, "loss"> & { loss: string }) {
  const objective = makeObjective(bounds, { statistics, estimator: "weighted", metric: defaultMetric(statistics) });
  return runNow(makePlan(occupancy, { objective, balanced: { ...goal, loss: parseDecimal(goal.loss) } }));
}

/** What is kept back for rounding: 2⁻⁴⁰ for every number in both passes and every ring of it, and as much as of one number more. */
function keptBack(occupancy: Occupancy, numbers: number): number {
  return occupancy.maxGridsPerUser() * (numbers + 1) * (RINGS + 2) * 2 ** -40;
}

describe.each([1, 2] as const)("%i passes", (passes) => {
  test.each([
    ...ALONE,
    TOGETHER,
  ])("%s: what is made is read back and passes, and nobody loses more than asked", (statistics) => {
    for (const occupancy of [...Object.values(HOSTILE), randomArray(5, { users: 9, grids: 4 })]) {
      const { plan, evaluation } = planned(occupancy, statistics, { loss: "1", passes });
      const read = readPlan(planText(plan));
      expect(planText(read)).toBe(planText(plan));
      const { joint, guarantees, balanced } = checkPlan(occupancy, read);
      expect(guarantees).toEqual(evaluation.guarantees);
      expect(balanced!.typical).toEqual(evaluation.balanced!.typical);
      expect(joint.largest()).toEqual(plan.loss);
      const short = 1 - plan.loss.toNumberNearest();
      expect(plan.loss.compare(Rational.ONE)).toBeLessThanOrEqual(0);
      expect(short).toBeLessThan(1e-9 + keptBack(occupancy, 8));
      expect(
        plan.noise.every(({ epsilon, scales }) => epsilon.sign() > 0 && scales.every((scale) => scale.sign() > 0)),
      ).toBe(true);
      expect(plan.balanced!.weights.every((weight) => weight <= MOST_WEIGHT)).toBe(true);
      // Bins alone have one pass, however many are asked for.
      expect(plan.balanced!.passes).toBe(statistics.startsWith("histogram") ? 1 : passes);
    }
  });

  test("losses from a thousandth to a thousand, whatever the array", () => {
    fc.assert(
      fc.property(hostileArrays, fc.constantFrom("0.000001", "0.001", "0.37", "50", "1000"), (occupancy, loss) => {
        const { plan } = planned(occupancy, "mean,variance", { loss, passes });
        const asked = parseDecimal(loss);
        expect(plan.loss.compare(asked)).toBeLessThanOrEqual(0);
        const short = asked.subtract(plan.loss).toNumberNearest();
        expect(short).toBeLessThan(1e-9 * Number(loss) + keptBack(occupancy, 2));
        checkPlan(occupancy, readPlan(planText(plan)));
      }),
    );
  });

  test("a loss that would not pay for the rounding is refused", () => {
    expect(() => planned(HOSTILE["one user in many grids"]!, "mean", { loss: "0.00000000001", passes })).toThrow(
      expect.objectContaining({ code: "PARAMETER_INVALID", message: expect.stringContaining("--loss") }),
    );
  });
});

test("the same counts give the same plan, of one pass where few users would leave rings to the noise", () => {
  const occupancy = randomArray(11, { users: 30, grids: 6 });
  const [one, other] = [1, 2].map(() => planned(occupancy, "mean,variance", { loss: "1" }).plan);
  expect(planText(one!)).toBe(planText(other!));
  expect(one!.balanced!.passes).toBe(1);
});

describe("--guarantee", () => {
  const occupancy = randomArray(3, { users: 25, grids: 5 });
  const errorsOf = (statistics: string, guarantee?: BalancedGoal["guarantee"], passes?: 1 | 2) =>
    planned(occupancy, statistics, { loss: "3", guarantee, passes }).evaluation.guarantees.map((each) => each!);
  const largest = (errors: readonly Rational[]): Rational =>
    errors.reduce((most, each) => (each.compare(most) > 0 ? each : most));
  const tooTight = expect.objectContaining({
    code: "PARAMETER_INVALID",
    message: expect.stringContaining("--guarantee"),
  });

  test.each([
    "mean",
    "mean,variance",
  ])("%s together is met or refused, and met where a little less is asked than comes by itself", (statistics) => {
    const free = largest(errorsOf(statistics, undefined, 1).map(({ error }) => error));
    const outcomes = ["1", "0.99", "0.9", "0.6", "0.01"].map((share) => {
      const error = free.multiply(parseDecimal(share));
      try {
        const met = largest(errorsOf(statistics, { kind: "together", error }).map((each) => each.error));
        return met.compare(error) <= 0 ? "met" : "missed";
      } catch (refusal) {
        expect(refusal).toEqual(tooTight);
        return "refused";
      }
    });
    expect(outcomes).not.toContain("missed");
    expect([outcomes[0], outcomes[1], outcomes.at(-1)]).toEqual(["met", "met", "refused"]);
  });

  test("one for each statistic is met by each", () => {
    const free = errorsOf("mean,variance", undefined, 1);
    const errors = [0, 1].map((at) =>
      largest(free.map(({ statisticError }) => statisticError[at]!)).multiply(parseDecimal("0.99")),
    );
    for (const { statisticError } of errorsOf("mean,variance", { kind: "each", errors }))
      statisticError.forEach((each, at) => {
        expect(each.compare(errors[at]!)).toBeLessThanOrEqual(0);
      });
    const [mean, variance] = errors;
    const impossible = [mean!, variance!.divide(Rational.of(1000))];
    expect(() => errorsOf("mean,variance", { kind: "each", errors: impossible })).toThrow(tooTight);
  });

  test("goes with one pass: windows that may come to lie anywhere guarantee nothing below the range", () => {
    const error = Rational.of(60);
    const { plan } = planned(occupancy, "mean", { loss: "3", guarantee: { kind: "together", error } });
    expect(plan.balanced!.passes).toBe(1);
    expect(() => errorsOf("mean", { kind: "together", error }, 2)).toThrow(tooTight);
  });

  test("a plan whose guarantee is not what it says is refused", () => {
    const error = Rational.of(60);
    const { plan } = planned(occupancy, "mean", { loss: "3", guarantee: { kind: "together", error } });
    const claims = freezePlan({ ...plan, strategy: { ...plan.strategy, errorBound: Rational.ONE } });
    expect(() => checkPlan(occupancy, claims)).toThrow(expect.objectContaining({ code: "PLAN_MISMATCH" }));
  });
});

describe("an altered plan", () => {
  const occupancy = randomArray(8, { users: 12, grids: 3 });
  const { plan } = planned(occupancy, "mean,variance", { loss: "1", passes: 2 });
  const terms = plan.balanced!;
  const third = Rational.of(1, 3);
  const changes: Readonly<Record<string, Partial<BalancedTerms>>> = {
    "a weight": { weights: terms.weights.with(2, terms.weights[2]! === 1 ? 2 : 1) },
    "a rate": { rates: terms.rates.with(1, terms.rates[1]!.multiply(third)) },
    "a ratio": { ratios: terms.ratios.with(0, terms.ratios[0]!.multiply(third)) },
    passes: { passes: 1 },
  };
  const changed = (change: Partial<BalancedTerms>): Plan => freezePlan({ ...plan, balanced: { ...terms, ...change } });
  const withHashOf = (text: string, hash: string): string => text.replace(/"hash":"[0-9a-f]*"/, `"hash":"${hash}"`);

  test.each([...Object.keys(changes), "the spread"])("%s: under the old hash it is PLAN_ALTERED", (what) => {
    const change = changes[what] ?? { spread: parseSpread("users=9", bounds) };
    const text = withHashOf(planText(changed(change)), plan.hash);
    expect(() => readPlan(text)).toThrow(expect.objectContaining({ code: "PLAN_ALTERED" }));
  });

  test.each(Object.keys(changes))("%s: under a new hash it does not follow from its own counts", (what) => {
    const altered = readPlan(planText(changed(changes[what]!)));
    expect(() => checkPlan(occupancy, altered)).toThrow(expect.objectContaining({ code: "PLAN_MISMATCH" }));
  });

  const spread = (text: string, value: string) => ({ ...terms.spread, [text]: parseDecimal(value) });
  test.each<[what: string, change: Partial<BalancedTerms>]>([
    ["a weight above 2²⁰", { weights: terms.weights.with(0, MOST_WEIGHT + 1) }],
    ["a weight too few", { weights: terms.weights.slice(1) }],
    ["a rate too few", { rates: terms.rates.slice(1) }],
    ["a rate of 0", { rates: terms.rates.with(0, Rational.ZERO) }],
    ["a ratio too many", { ratios: [...terms.ratios, Rational.ONE] }],
    ["a ratio below 0", { ratios: terms.ratios.with(0, Rational.of(-1)) }],
    ["a spread beyond the range", { spread: spread("users", "66") }],
    ["a spread below 0", { spread: spread("trend", "-1") }],
    ["no spread at all", { spread: { ...spread("users", "0"), records: Rational.ZERO } }],
  ])("%s is PLAN_MALFORMED", (_, change) => {
    expect(() => readPlan(planText(changed(change)))).toThrow(expect.objectContaining({ code: "PLAN_MALFORMED" }));
  });

  test.each<[what: string, path: readonly string[], value: unknown]>([
    ["three passes", ["balanced", "passes"], 3],
    ["another aim", ["balanced", "aim"], "best"],
    ["a weight with a fraction", ["balanced", "weights", "0"], 1.5],
    ["a weight below 0", ["balanced", "weights", "0"], -1],
  ])("%s is PLAN_MALFORMED", (_, path, value) => {
    const root = JSON.parse(planText(plan));
    const inner = path.slice(0, -1).reduce((at, key) => at[key], root);
    inner[path.at(-1)!] = value;
    expect(() => readPlan(JSON.stringify(root))).toThrow(expect.objectContaining({ code: "PLAN_MALFORMED" }));
  });

  test.each<[what: string, change: Partial<PlanContent>]>([
    ["another estimator", { objective: { ...plan.objective, estimator: "kept" } }],
    ["another strategy", { strategy: { ...plan.strategy, name: "frontier" } }],
    ["no loss asked for", { strategy: { ...plan.strategy, lossTarget: null } }],
    ["grids set aside", { strategy: { ...plan.strategy, setAside: [0] } }],
    ["somebody dropped", { users: [occupancy.users.get(0)], suppressed: [[0, 0]] }],
    ["no terms", { balanced: undefined }],
  ])("%s is PLAN_MALFORMED under a new hash", (_, change) => {
    const altered = planText(freezePlan({ ...plan, ...change }));
    expect(() => readPlan(altered)).toThrow(expect.objectContaining({ code: "PLAN_MALFORMED" }));
  });

  test("a grid without weight, other counts, and a loss that is not its own", () => {
    const mismatch = expect.objectContaining({ code: "PLAN_MISMATCH" });
    const { grid } = occupancy.byUser;
    const none = terms.weights.map((weight, entry) => (grid[entry] === 0 ? 0 : weight));
    expect(() => checkPlan(occupancy, changed({ weights: none }))).toThrow(mismatch);
    expect(() => checkPlan(randomArray(9, { users: 12, grids: 3 }), plan)).toThrow(mismatch);
    const cheaper = freezePlan({ ...plan, loss: plan.loss.multiply(third) });
    expect(() => checkPlan(occupancy, cheaper)).toThrow(mismatch);
    const half = freezePlan({ ...plan, strategy: { ...plan.strategy, lossTarget: Rational.of(1, 2) } });
    expect(() => checkPlan(occupancy, half)).toThrow(mismatch);
  });
});

describe("the work of planning", () => {
  const objective = makeObjective(bounds, { statistics: "mean", estimator: "weighted", metric: "relative" });
  const occupancy = randomArray(3, { users: 60, grids: 6 });
  const loss = parseDecimal("1");
  const meanTypical = ({ evaluation }: ReturnType<typeof planned>): number =>
    evaluation.balanced!.typical.reduce((sum, [each = 0]) => sum + each, 0);

  test.each([
    undefined,
    { kind: "together", error: parseDecimal("1.2") } as const,
  ])("tells steps that never go back, nor beyond what it says there are", (guarantee) => {
    const steps = [...makePlan(occupancy, { objective, balanced: { loss, guarantee } })];
    const names = steps.map(({ step }) => step);
    expect(names.filter((name, at) => name !== names[at - 1])).toEqual([...new Set(names)]);
    for (const [at, { step, done, of }] of steps.entries()) {
      const before = steps[at - 1];
      if (before?.step === step) expect(done).toBeGreaterThanOrEqual(before.done);
      expect(done).toBeLessThanOrEqual(of ?? Number.POSITIVE_INFINITY);
    }
  });

  test("a sketch is a plan that passes, never better than the whole one", () => {
    const sketch = runNow(makePlan(occupancy, { objective, balanced: { loss }, sketch: {} }));
    checkPlan(occupancy, readPlan(planText(sketch.plan)));
    expect(meanTypical(sketch)).toBeGreaterThan(meanTypical(planned(occupancy, "mean", { loss: "1" })));
  });
});
