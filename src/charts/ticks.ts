/** Round numbers for axes and scale bars. */

/** The largest of 1, 2 and 5 times a power of ten that is not above a positive number. */
export function niceStep(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [5, 2, 1].find((each) => each * power <= most) ?? 1;
  return Number((step * power).toPrecision(12));
}

/** Multiples of a round step within [low, high], about `count` of them. */
export function ticks([low, high]: readonly [number, number], count: number): number[] {
  if (!(high > low)) return [low];
  const smallest = niceStep((high - low) / count);
  const step = (high - low) / smallest > 1.6 * count ? niceStep(smallest * 2.5) : smallest;
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}
