/** Which numbers stand along an axis, so that their texts keep clear of each other, and where thin lines go between them. */
import type { ScaleKind } from "./pixel-scale.ts";
import { plainNumber } from "./plain-number.ts";
import { logTicks, ticks } from "./ticks.ts";

export interface AxisTick {
  readonly value: number;
  readonly text: string;
}

export interface AxisTicks {
  readonly labelled: readonly AxisTick[];
  /** Between them, on a logarithmic axis only. */
  readonly minor: readonly number[];
}

/** Thin lines in a decade that is wide enough for them. */
const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

export function axisTicks(
  kind: ScaleKind,
  domain: readonly [number, number],
  { pixels, fits }: { pixels: number; fits: (ticks: readonly AxisTick[]) => boolean },
): AxisTicks {
  const labelled = firstThatFits(kind === "log" ? logChoices(domain) : linearChoices(domain), fits);
  if (kind === "linear") return { labelled, minor: [] };
  const decades = Math.log10(domain[1] / domain[0]);
  const every = pixels / decades;
  const digits = every >= 70 ? DIGITS : every >= 6 ? [1] : [];
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

function* linearChoices(domain: readonly [number, number]): Generator<readonly number[]> {
  for (const count of [6, 5, 4, 3, 2, 1]) yield ticks(domain, count);
}

/** 1, 2 and 5 times powers of ten, powers of ten, every second of them and so on; within less than a decade round numbers. */
function* logChoices(domain: readonly [number, number]): Generator<readonly number[]> {
  const decades = Math.log10(domain[1] / domain[0]);
  if (decades < 20) {
    const fine = logTicks(domain);
    if (fine.length < 3 || decades < 0.5) yield* linearChoices(domain);
    yield fine;
  }
  const powers = multiples(domain, [1]);
  for (let every = 1; powers.length > 0 && every < 2 * powers.length; every++)
    yield powers.filter((value) => Math.round(Math.log10(value)) % every === 0);
}

function multiples([low, high]: readonly [number, number], digits: readonly number[]): number[] {
  const found: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
    for (const digit of digits) found.push(Number(`${digit}e${power}`));
  return found.filter((value) => value >= low * 0.9999 && value <= high * 1.0001);
}
