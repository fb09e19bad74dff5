/** H3 cells stored in records: how they are written, which numbers are cells, and the cell around one at a coarser resolution. */
import {
  atLeast,
  below,
  both,
  type Condition,
  commonBits,
  type Expression,
  either,
  equal,
  field,
  holds,
  integer,
  lastReached,
  noneOf,
  plus,
  shiftedRight,
} from "./expression.ts";

/** The field that an engine provides: the cell's number, or nothing where the column is blank or holds something else. */
export const STORED_CELL = "stored_cell";

/**
 * How a cell is written, the whole text but for spaces around it. A cell's number lies between 2^59 and 9·2^56: in hexadecimal it
 * has 15 digits of which the first is 8, in decimal 18, so that no text is both. An integer column counts as its decimal text.
 * These are regular expressions that all engines read alike.
 */
export const WRITTEN_CELL = { hexadecimal: "8[0-9a-fA-F]{14}", decimal: "[0-9]{18}" } as const;

// From the highest bit: 0, four bits of mode (1: a cell), three that are 0, four of resolution, seven of base cell, and fifteen
// digits of three bits each, of which those finer than the resolution are 7.
const FIRST = 8n << 56n;
const END = 9n << 56n;
const DIGITS = 15n;
const DIGIT_BITS = 45;
const BASE_CELLS = 122n;
/** They have no neighbour in direction 1: the first digit that is not 0 is never 1 in these. */
const PENTAGONS = [4n, 14n, 24n, 38n, 49n, 58n, 63n, 72n, 83n, 97n, 107n, 117n];

const resolution = commonBits(shiftedRight(field(STORED_CELL), 52), integer(15n));

/**
 * Whether a number is a cell, at least as fine as `coarsest` where one is given. The rule is the H3 library's own: mode, base cell,
 * no 7 among the digits of the resolution and nothing else among the finer ones, and no digit that a pentagon lacks.
 */
export function storedCellIsSound(coarsest: number | null): Condition {
  const cell = field(STORED_CELL);
  const baseCell = commonBits(shiftedRight(cell, DIGIT_BITS), integer(127n));
  const digits = commonBits(cell, integer(2n ** BigInt(DIGIT_BITS) - 1n));
  // One bit for each digit that is 7.
  const sevens = commonBits(
    commonBits(cell, shiftedRight(cell, 1)),
    commonBits(shiftedRight(cell, 2), integer(onesBelow(DIGITS))),
  );
  const finer = byStep(
    resolution,
    steps(0n, DIGITS, (level) => [level, onesBelow(DIGITS - level)]),
  );
  const twiceTheFirst = byStep(digits, [[0n, 0n], ...steps(0n, DIGITS - 1n, (at) => [8n ** at, 2n * 8n ** at])]);
  return [
    atLeast(cell, integer(FIRST)),
    below(cell, integer(END)),
    ...(coarsest === null ? [] : [atLeast(resolution, integer(BigInt(coarsest)))]),
    below(baseCell, integer(BASE_CELLS)),
    equal(sevens, finer),
    either(noneOf(baseCell, PENTAGONS), atLeast(digits, twiceTheFirst)),
  ].reduce(both);
}

/** The sound cell itself, or the one around it at a resolution that is not finer. */
export function storedCellExpression(wanted: number | null): Expression {
  if (wanted === null) return field(STORED_CELL);
  const kept = END - (15n << 52n) - 8n ** (DIGITS - BigInt(wanted));
  const set = (BigInt(wanted) << 52n) + 8n ** (DIGITS - BigInt(wanted)) - 1n;
  return plus(commonBits(field(STORED_CELL), integer(kept)), integer(set));
}

export function readCell(text: string): { readonly number: bigint; readonly resolution: number } | undefined {
  const trimmed = text.replace(/^ +| +$/g, "");
  const number = new RegExp(`^${WRITTEN_CELL.hexadecimal}$`).test(trimmed)
    ? BigInt(`0x${trimmed}`)
    : new RegExp(`^${WRITTEN_CELL.decimal}$`).test(trimmed)
      ? BigInt(trimmed)
      : undefined;
  if (number === undefined || !holds(storedCellIsSound(null), { integers: { [STORED_CELL]: number } }))
    return undefined;
  return { number, resolution: Number((number >> 52n) & 15n) };
}

/** 1 in each of the lowest so many digits. */
function onesBelow(digits: bigint): bigint {
  return (8n ** digits - 1n) / 7n;
}

type Step = readonly [from: bigint, value: bigint];

function steps(first: bigint, last: bigint, step: (at: bigint) => Step): Step[] {
  return Array.from({ length: Number(last - first) + 1 }, (_, index) => step(first + BigInt(index)));
}

/** The value of the last step that the key reaches. */
const byStep = (key: Expression, list: readonly Step[]): Expression =>
  lastReached(key, list, { start: ([from]) => from, leaf: ([, value]) => integer(value) });
