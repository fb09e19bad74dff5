/** How many digits a page shows: one more than the noise leaves uncertain, ends of intervals rounded outward. */

export interface NumberStyle {
  nearest(value: number): string;
  down(value: number): string;
  up(value: number): string;
}

const MOST_PLACES = 8;

/** From the typical half-width of the intervals. */
export function numberStyle(halfWidths: readonly number[]): NumberStyle {
  const sorted = halfWidths.filter((each) => each > 0).sort((left, right) => left - right);
  const typical = sorted[Math.floor(sorted.length / 2)] ?? 0.1;
  const places = Math.min(MOST_PLACES, Math.max(0, 1 - Math.floor(Math.log10(typical))));
  const unit = 10 ** places;
  const digits = new Intl.NumberFormat("en-US", { minimumFractionDigits: places, maximumFractionDigits: places });
  const write = (value: number): string => {
    const text = digits.format(value);
    return (/^-[0.,]*$/.test(text) ? text.slice(1) : text).replace("-", "−");
  };
  return {
    nearest: write,
    down: (value) => write(Math.floor(value * unit) / unit),
    up: (value) => write(Math.ceil(value * unit) / unit),
  };
}
