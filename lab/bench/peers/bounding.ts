/** Bounding contributions by a rule that looks at nobody's values: a user's first records in the order of the file. */
import { type Dataset, LOWER, UPPER } from "./datasets.js";

/** Either so many grids per user and records in each of them, or so many records in all grids together. */
export type ContributionBounds = { readonly groups: number; readonly records: number } | { readonly total: number };

/** Records that one user may have in all grids together. */
export function mostContributions(bounds: ContributionBounds): number {
  return "total" in bounds ? bounds.total : bounds.groups * bounds.records;
}

export function boundsText(bounds: ContributionBounds): string {
  return "total" in bounds ? `${bounds.total} in all` : `${bounds.groups} × ${bounds.records}`;
}

/** Of every grid: kept records, the most of one user, and power sums of (value − middle of the range). */
export interface KeptMoments {
  readonly count: Float64Array;
  readonly largest: Float64Array;
  readonly sum: Float64Array;
  readonly squares: Float64Array;
}

const MIDDLE = (LOWER + UPPER) / 2;

export function keptMoments(
  { users, grids, userOf, gridOf, value }: Pick<Dataset, "users" | "grids" | "userOf" | "gridOf" | "value">,
  bounds: ContributionBounds,
): KeptMoments {
  const [count, largest, sum, squares] = Array.from({ length: 4 }, () => new Float64Array(grids.length)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const keptOfUser = new Uint32Array(users.length);
  const gridsOfUser = new Uint32Array(users.length);
  const keptOfEntry = new Uint32Array(users.length * grids.length);
  value.forEach((x, record) => {
    const user = userOf[record]!;
    const grid = gridOf[record]!;
    const entry = user * grids.length + grid;
    if ("total" in bounds) {
      if (keptOfUser[user]! === bounds.total) return;
    } else {
      if (keptOfEntry[entry]! === bounds.records) return;
      if (keptOfEntry[entry]! === 0) {
        if (gridsOfUser[user]! === bounds.groups) return;
        gridsOfUser[user]! += 1;
      }
    }
    keptOfUser[user]! += 1;
    keptOfEntry[entry]! += 1;
    count[grid]! += 1;
    largest[grid] = Math.max(largest[grid]!, keptOfEntry[entry]!);
    sum[grid]! += x - MIDDLE;
    squares[grid]! += (x - MIDDLE) ** 2;
  });
  return { count, largest, sum, squares };
}

/** Pairs and totals to try, spaced so that neighbours differ by about a half. */
export function candidateBounds(dataset: Dataset): ContributionBounds[] {
  const steps = [1, 2, 3, 4, 6, 8, 12, 18, 27, 40, 60, 90, 135, 200, 300, 450, 700, 1000];
  const all = keptMoments(dataset, { total: dataset.value.length });
  const mostRecords = Math.max(...all.largest);
  const upTo = (most: number): number[] => steps.filter((_, at) => at === 0 || steps[at - 1]! < most);
  const pairs = upTo(Math.min(dataset.grids.length, 12)).flatMap((groups) =>
    upTo(mostRecords).map((records) => ({ groups, records })),
  );
  return [...pairs, ...steps.map((total) => ({ total }))];
}
