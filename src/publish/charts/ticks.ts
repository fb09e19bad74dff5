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

/** 1, 2 and 5 times powers of ten within a positive domain, for a logarithmic axis; the domain's ends where that leaves fewer than two. */
export function logTicks([low, high]: readonly [number, number]): number[] {
  const found: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const digit of [1, 2, 5]) {
      const tick = Number(`${digit}e${power}`);
      if (tick >= low * 0.999 && tick <= high * 1.001) found.push(tick);
    }
  }
  return found.length >= 2 ? found : [Number(low.toPrecision(2)), Number(high.toPrecision(2))];
}

/** A round distance beside a scale bar. */
export function distanceText(kilometres: number): string {
  return kilometres >= 1 ? `${kilometres} km` : `${Number((kilometres * 1000).toPrecision(6))} m`;
}
