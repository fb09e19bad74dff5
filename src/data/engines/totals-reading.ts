/** Exact sums by an engine's own grid numbers, put in the plan's order and held to what the plan says is kept. */
import { invariant } from "../../core/errors/index.ts";
import type { CodedOccupancy } from "./coded-occupancy.ts";
import type { Decisions } from "./decisions.ts";
import type { GridTotals, TotalsReading, TotalsRequest } from "./engine.ts";

export interface CodedTotals {
  /** By the engine's grid number: records kept, Σ i, Σ i², then one count for each threshold. */
  readonly sums: ReadonlyMap<number, readonly bigint[]>;
  /** By the engine's grid number; where asked for. */
  readonly doubledClampedSums: ReadonlyMap<number, bigint> | undefined;
  readonly clampedValues: number;
}

export function totalsReading(
  { sums, doubledClampedSums, clampedValues }: CodedTotals,
  { coded, decisions, request }: { coded: CodedOccupancy; decisions: Decisions; request: TotalsRequest },
): TotalsReading {
  const none = Array<bigint>(3 + (request.thresholds ?? []).length).fill(0n);
  const totals = Array.from(decisions.chosen, (code, at): GridTotals => {
    const [kept, sum, sumOfSquares, ...atLeast] = sums.get(code) ?? none;
    invariant(
      Number(kept) === decisions.keptOfChosen[at],
      "the engine kept another number of records than the plan says",
    );
    return {
      grid: coded.grids[code]!,
      kept: Number(kept),
      sum: sum!,
      sumOfSquares: sumOfSquares!,
      atLeast,
      doubledClampedSum: doubledClampedSums === undefined ? null : (doubledClampedSums.get(code) ?? 0n),
    };
  });
  return { totals, clampedValues };
}
