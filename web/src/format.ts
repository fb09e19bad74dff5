/** Formats numbers, times and sizes. */

const COUNT = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
/** By significant digits. Making one takes a hundred times as long as using it, and a page shows hundreds of numbers. */
const SIGNIFICANT = new Map<number, Intl.NumberFormat>();

function significant(digits: number): Intl.NumberFormat {
  const known = SIGNIFICANT.get(digits) ?? new Intl.NumberFormat("en", { maximumSignificantDigits: digits });
  SIGNIFICANT.set(digits, known);
  return known;
}

export function formatCount(count: number): string {
  return COUNT.format(count);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Three significant digits, more only before the point. */
export function formatNumber(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e9 || size < 1e-4) return value.toExponential(digits - 1).replace("e+", "e");
  return (size >= 10 ** digits ? COUNT : significant(digits)).format(value);
}

export function formatPercent(share: number, digits = 2): string {
  return `${formatNumber(100 * share, digits)} %`;
}

export function formatTime(iso: string): string {
  return TIME.format(new Date(iso));
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ["kB", "MB", "GB", "TB"];
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  return `${formatNumber(bytes / 1000 ** power)} ${units[power - 1]}`;
}
