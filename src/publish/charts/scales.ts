/** Maps numbers to pixels, and chooses the round numbers that are written along an axis. */
import { roundPixels } from "./svg.ts";

export type ScaleKind = "linear" | "log";
export type Domain = readonly [low: number, high: number];

/** The domain's ends land on the range's ends; on a logarithmic scale domain and values are positive. */
export function pixelScale(kind: ScaleKind, domain: Domain, [from, to]: Domain): (value: number) => number {
  return (value) => roundPixels(from + (to - from) * shareBetween(kind, domain, value));
}

/** How far a value lies from the domain's low end to its high end. */
export function shareBetween(kind: ScaleKind, [low, high]: Domain, value: number): number {
  return kind === "log" ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
}

/** The value at a share of the way from one end to the other. */
export function valueBetween(kind: ScaleKind, [low, high]: Domain, share: number): number {
  return kind === "log" ? low * (high / low) ** share : low + (high - low) * share;
}

/** Whether an axis has a place for a number. */
export function isDrawable(kind: ScaleKind, value: number): boolean {
  return Number.isFinite(value) && (kind === "linear" || value > 0);
}

/** The largest of 1, 2 and 5 times a power of ten that is not above a positive number. */
export function niceStep(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [5, 2, 1].find((each) => each * power <= most) ?? 1;
  return Number((step * power).toPrecision(12));
}

/** Multiples of a round step within [low, high], about `count` of them. */
export function ticks([low, high]: Domain, count: number): number[] {
  if (!(high > low)) return [low];
  const smallest = niceStep((high - low) / count);
  const step = (high - low) / smallest > 1.6 * count ? niceStep(smallest * 2.5) : smallest;
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** 1, 2 and 5 times powers of ten within a positive domain, for a logarithmic axis; the domain's ends where that leaves fewer than two. */
export function logTicks([low, high]: Domain): number[] {
  const found = multiples([low, high], [1, 2, 5], 0.001);
  return found.length >= 2 ? found : [Number(low.toPrecision(2)), Number(high.toPrecision(2))];
}

/** Digits times powers of ten within a positive domain, and as little beyond its ends as `slack`. */
function multiples([low, high]: Domain, digits: readonly number[], slack = 0.0001): number[] {
  const found: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
    for (const digit of digits) found.push(Number(`${digit}e${power}`));
  return found.filter((value) => value >= low * (1 - slack) && value <= high * (1 + slack));
}

export interface AxisTick {
  readonly value: number;
  readonly text: string;
}

export interface AxisTicks {
  readonly labelled: readonly AxisTick[];
  /** Thin lines between the labelled ones, on a logarithmic axis only. */
  readonly minor: readonly number[];
}

/** The ticks of an axis: as many as `fits` accepts, so that their texts keep clear of each other. */
export function axisTicks(
  kind: ScaleKind,
  domain: Domain,
  { pixels, fits }: { pixels: number; fits: (ticks: readonly AxisTick[]) => boolean },
): AxisTicks {
  const labelled = firstThatFits(kind === "log" ? logChoices(domain) : linearChoices(domain), fits);
  if (kind === "linear") return { labelled, minor: [] };
  // Only a wide decade has room for a line at every digit.
  const pixelsPerDecade = pixels / decadesOf(domain);
  const digits = pixelsPerDecade >= 70 ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : pixelsPerDecade >= 6 ? [1] : [];
  const taken = new Set(labelled.map(({ value }) => value));
  return { labelled, minor: multiples(domain, digits).filter((value) => !taken.has(value)) };
}

function firstThatFits(
  choices: Iterable<readonly number[]>,
  fits: (ticks: readonly AxisTick[]) => boolean,
): readonly AxisTick[] {
  let last: readonly AxisTick[] = [];
  for (const choice of choices) {
    if (choice.length === 0) continue;
    last = choice.map((value) => ({ value, text: plainNumber(value) }));
    if (fits(last)) return last;
  }
  return last.slice(0, 1);
}

function* linearChoices(domain: Domain): Generator<readonly number[]> {
  for (const count of [6, 5, 4, 3, 2, 1]) yield ticks(domain, count);
}

/** 1, 2 and 5 times powers of ten, powers of ten, every second of them and so on; within less than a decade round numbers. */
function* logChoices(domain: Domain): Generator<readonly number[]> {
  const decades = decadesOf(domain);
  if (decades < 20) {
    const fine = logTicks(domain);
    if (fine.length < 3 || decades < 0.5) yield* linearChoices(domain);
    yield fine;
  }
  const powers = multiples(domain, [1]);
  for (let every = 1; powers.length > 0 && every < 2 * powers.length; every++)
    yield powers.filter((value) => Math.round(Math.log10(value)) % every === 0);
}

function decadesOf([low, high]: Domain): number {
  return Math.log10(high / low);
}

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A number as people write it beside an axis: 10,000 and 0.002, and powers of ten only for what is very large or very small. */
export function plainNumber(value: number): string {
  const sign = value < 0 ? "−" : "";
  const size = Number(Math.abs(value).toPrecision(12));
  if (size === 0) return "0";
  if (size >= 1e9 || size < 1e-6) return sign + withPower(size);
  const [whole = "", fraction] = String(size).split(".");
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${fraction === undefined ? "" : `.${fraction}`}`;
}

function withPower(size: number): string {
  const [digits, power = ""] = size.toExponential().split("e");
  const raised = [...power.replace("+", "")].map((each) => SUPERSCRIPTS[Number(each)] ?? "⁻").join("");
  return `${digits === "1" ? "" : `${digits} × `}10${raised}`;
}

/** A round distance beside a scale bar. */
export function distanceText(kilometres: number): string {
  return kilometres >= 1 ? `${kilometres} km` : `${Number((kilometres * 1000).toPrecision(6))} m`;
}
