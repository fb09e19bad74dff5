/** Releases without an engine: totals as if all records were alike, and a request with everything in it. */

import { checkPlan, type Plan } from "../../src/core/planning/index.ts";
import type { Records, SomeGrids, TotalsReading } from "../../src/data/engines/index.ts";
import type { ReleaseRequest } from "../../src/publish/release/index.ts";

/** Totals of the grids that are asked for, as if every kept record had the lattice integer 1000. */
export function totalsOfThousands(
  { occupancy, grids }: SomeGrids,
  plan: Plan,
  { atLeast, clampedValues }: { readonly atLeast: readonly bigint[]; readonly clampedValues: number },
): TotalsReading {
  const { kept } = checkPlan(occupancy, plan);
  const asked = plan.grids.flatMap((grid, index) => (grids.includes(grid) ? [{ grid, index }] : []));
  const totals = asked.map(({ grid, index }) => {
    const count = kept.countsOf(index).kept;
    const [sum, sumOfSquares] = [1000n * BigInt(count), 1_000_000n * BigInt(count)];
    return { grid, kept: count, sum, sumOfSquares, atLeast, doubledClampedSum: null };
  });
  return { totals, clampedValues };
}

export function releaseRequest(
  options: Pick<ReleaseRequest, "occupancy" | "plan"> & Partial<ReleaseRequest>,
): ReleaseRequest {
  return {
    records: {} as Records,
    dataset: "buses",
    key: "may",
    notPrivate: false,
    tool: "veilgrid test",
    reservedAt: new Date("2026-05-01T00:00:00Z"),
    ...options,
  };
}
