/** Counts numbers into a few columns. */
import { itemAt } from "../../../../src/core/errors/index.ts";
import { formatCount } from "../../format.ts";

export interface Bin {
  readonly from: number;
  /** Included. */
  readonly to: number;
  readonly count: number;
}

/** How many columns a phone can show. */
const MOST = 24;

/** Whole numbers from 1 on in columns of equal width: one each where there are few. */
export function evenBins(found: ReadonlyArray<{ readonly number: number; readonly count: number }>): Bin[] {
  const largest = Math.max(1, ...found.map(({ number }) => number));
  const width = roundUp(largest / MOST);
  const bins = Array.from({ length: Math.ceil(largest / width) }, (_, index) => ({
    from: index * width + 1,
    to: (index + 1) * width,
    count: 0,
  }));
  for (const { number, count } of found) itemAt(bins, Math.ceil(number / width) - 1).count += count;
  return bins;
}

/** Whole numbers from 1 on in columns that begin at 1, 2, 5, 10, 20, 50, … */
export function logBins(numbers: Iterable<number>): Bin[] {
  const bins: Array<{ from: number; to: number; count: number }> = [];
  const grow = (): void => {
    const from = (bins.at(-1)?.to ?? 0) + 1;
    bins.push({ from, to: nextRound(from) - 1, count: 0 });
  };
  for (const number of numbers) {
    while ((bins.at(-1)?.to ?? 0) < number) grow();
    let index = bins.length - 1;
    while (itemAt(bins, index).from > number && index > 0) index -= 1;
    itemAt(bins, index).count += 1;
  }
  const first = bins.findIndex(({ count }) => count > 0);
  return first < 0 ? [] : bins.slice(first);
}

/** "5 – 9". */
export function rangeText({ from, to }: Bin): string {
  return from === to ? formatCount(from) : `${formatCount(from)} – ${formatCount(to)}`;
}

/** 1, 2 or 5 times a power of ten, not below. */
function roundUp(least: number): number {
  let step = 1;
  while (step < least) step = nextRound(step);
  return step;
}

/** After 1 comes 2, after 2 comes 5, after 5 comes 10. */
function nextRound(step: number): number {
  return step * (/^2/.test(String(step)) ? 2.5 : 2);
}
