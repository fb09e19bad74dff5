/** Values on the lattice: the same integer in every engine, and sums that do not overflow. */
import { describe, expect, test } from "vitest";
import { referenceLattice } from "../support/reference-records.ts";
import { type Bench, baselinePlan, expectReading, KEEP_ALL, PLAIN, refusalOf } from "./harness.ts";
import type { LatticeFlags } from "./scenarios.ts";

/** From a value to its lattice integer, and what they add up to. */
export function describeValues(bench: Bench): void {
  const { opened, reference } = bench;
  describe("values on the lattice", () => {
    /** One grid per value, so that its sum is the value's lattice integer. */
    const integersOf = async (values: readonly number[], flags: LatticeFlags): Promise<bigint[]> => {
      const text = (value: number): string => (Object.is(value, -0) ? "-0" : String(value));
      const rows = values.map((value, at) => ({ who: "u", speed: text(value), shop: String(at).padStart(6, "0") }));
      const records = await opened(rows, { user: "who", value: "speed", by: "shop" });
      const { occupancy } = await bench.engine.readOccupancy(records);
      const { totals, clampedValues } = await bench.engine.readTotals(records, baselinePlan(occupancy, flags));
      const { lower, upper } = referenceLattice(flags.bounds, flags.step);
      expect(clampedValues).toBe(values.filter((value) => value < lower || value > upper).length);
      for (const { sum, sumOfSquares } of totals) expect(sumOfSquares).toBe(sum * sum);
      return totals.map(({ sum }) => sum);
    };

    /** Section 7's formula, on the spot. */
    const formula = (value: number, { bounds, step }: LatticeFlags): bigint => {
      const lattice = referenceLattice(bounds, step);
      const rounded = Math.floor((value - lattice.lower) / lattice.step + 0.5);
      return BigInt(Math.min(Math.max(rounded, 0), Number(lattice.steps)));
    };

    test.each<LatticeFlags>([
      { bounds: "0,65", step: "0.5" },
      { bounds: "0.1,0.7", step: "0.1" },
      { bounds: "0.1,0.7", step: "0.05" },
      { bounds: "-0.3,0.9", step: "0.1" },
      { bounds: "1.1,3.3", step: "0.1" },
      { bounds: "-7.7,13.3", step: "0.3" },
      { bounds: "100.01,100.13", step: "0.01" },
      { bounds: "0,1", step: "1" },
    ])("every half step and its neighbours: $bounds by $step", async (flags) => {
      const { lower, step, steps } = referenceLattice(flags.bounds, flags.step);
      const values = Array.from({ length: Number(steps) + 1 }, (_, k) => k).flatMap((k) => {
        const half = lower + (k + 0.5) * step;
        const whole = lower + k * step;
        // The decimal the curator has in mind is often not the double that the sum gives.
        const written = Number((lower + (k + 0.5) * step).toFixed(6));
        return [half, nextUp(half), nextDown(half), whole, nextUp(whole), nextDown(whole), written];
      });
      expect(await integersOf(values, flags)).toEqual(values.map((value) => formula(value, flags)));
      const halves = values.filter((_, at) => at % 7 === 0);
      expect(new Set(halves.map((value) => formula(value, flags))).size).toBeGreaterThan(Number(steps) / 2);
    });

    test("at, below and above the bounds, and as far as doubles go", async () => {
      for (const flags of [
        PLAIN,
        { bounds: "0.1,0.7" },
        { bounds: "-5,5", step: "2.5" },
        { bounds: "0,0.00000000000000000000000000000000000001" },
      ]) {
        const { lower, upper, step, steps } = referenceLattice(flags.bounds, flags.step);
        const inner = [lower, upper, nextUp(lower), nextDown(upper), lower + step / 2, upper - step / 2];
        const outer = [
          nextDown(lower),
          nextUp(upper),
          lower - step,
          upper + step,
          1e300,
          -1e300,
          Number.MAX_VALUE,
          -Number.MAX_VALUE,
        ];
        const values = [...inner, ...outer, 0, -0, 5e-324, -5e-324];
        const found = await integersOf(values, flags);
        expect(found).toEqual(values.map((value) => formula(value, flags)));
        expect(found.slice(0, 2)).toEqual([0n, steps]);
        expect(found.slice(10, 14)).toEqual([steps, 0n, steps, 0n]);
      }
    });

    test("bounds as far from 0 as doubles can tell steps apart, and no farther", async () => {
      const flags = { bounds: "1048575,1048576" }; // 2⁴⁰ steps from 0
      const values = Array.from({ length: 40 }, (_, k) => 1_048_575 + (k * 26_214 + 0.5) * 2 ** -20);
      expect(await integersOf(values, flags)).toEqual(values.map((value) => formula(value, flags)));
      for (const bounds of ["1048575.5,1048576.5", "-1048577,-1048576", "1000000000000,1000000000001"]) {
        const { code, message } = await refusalOf(integersOf([1], { bounds }), []);
        expect(code).toBe("PARAMETER_INVALID");
        expect(message).toContain("too far from 0");
        expect(message).toContain("--step");
      }
    });

    test.each([
      "4294967296",
      "3000000001",
      "2147483648",
      "2147483647",
    ])("sums and squares up to N = %s do not overflow", async (steps) => {
      const flags = { bounds: `0,${steps}`, step: "1" };
      const rows = Array.from({ length: 2500 }, (_, at) => ({
        who: at < 2400 ? "many" : "few",
        speed: at % 2 === 0 ? "1e300" : steps,
        shop: "s",
        key: String(at),
      }));
      const N = BigInt(steps);
      for (const dedupe of [undefined, "key"]) {
        const recipeOptions = { user: "who", value: "speed", by: "shop", dedupe };
        const expected = reference(rows, recipeOptions, flags);
        const decisions = { ...KEEP_ALL, thresholds: [N, N + 1n] };
        const records = await opened(rows, recipeOptions);
        const { totals } = await expectReading(bench.engine, records, expected, { lattice: flags, decisions });
        expect(totals).toEqual({
          totals: [
            {
              grid: "s",
              kept: 2500,
              sum: 2500n * N,
              sumOfSquares: 2500n * N * N,
              atLeast: [2500n, 0n],
              doubledClampedSum: 5000n * N,
            },
          ],
          clampedValues: 1250,
        });
        const capped = { ...decisions, hasCaps: true };
        const cut = await expectReading(bench.engine, records, expected, { lattice: flags, decisions: capped });
        expect(cut.totals.totals[0]!.sumOfSquares).toBe(BigInt(cut.totals.totals[0]!.kept) * N * N);
      }
    });
  });
}

function nextUp(value: number): number {
  return neighbour(value, 1n);
}

function nextDown(value: number): number {
  return -neighbour(-value, 1n);
}

/** The next double in the direction of infinity. */
function neighbour(value: number, by: bigint): number {
  if (value === 0) return Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 ? by : -by));
  return view.getFloat64(0);
}
