/** Which of a user's m records in a grid are kept when c are: by rank in time, never by row order. */
import type { KeepRule } from "../../core/planning/index.ts";

/** Whether rank r of 0 … m − 1 is one of ⌊(2i + 1)·m/(2c)⌋, i = 0 … c − 1, or below c: a function of r, m and c alone, true of exactly c ranks (docs/mathematics.md, Theorem 13). */
export function isKeptRank(rank: bigint, options: { records: bigint; kept: bigint; keep: KeepRule }): boolean {
  const { records: m, kept: c, keep } = options;
  if (keep === "first") return rank < c;
  // The first i whose rank is not below this one.
  const i = 2n * c * rank <= m ? 0n : (2n * c * rank - m + 2n * m - 1n) / (2n * m);
  return i < c && (2n * i + 1n) * m < 2n * c * (rank + 1n);
}
