/** The seven children of a hexagon: their digits, how positions in a lattice of hexagons lead from child to parent, and how digits turn. */

/** Across and up in a basis of two unit vectors 120° apart. */
export type Step = readonly [across: number, up: number];

/** By digit, in the library's numbering: itself, then the six neighbours. */
export const STEPS: readonly Step[] = [
  [0, 0],
  [-1, -1],
  [0, 1],
  [-1, 0],
  [1, 0],
  [0, -1],
  [1, 1],
];

/** Digits other than 0, each 60° counter-clockwise from the one before. */
export const AROUND: readonly number[] = [4, 6, 2, 3, 1, 5];

// A lattice has 7 times as many hexagons as its parent's and is turned by 19.1° against it: at odd resolutions counter-clockwise,
// at even ones back again. So a parent's place (a, b) is a·ACROSS + b·UP among its children:
const ODD: readonly [across: Step, up: Step] = [
  [2, -1],
  [1, 3],
];
const EVEN: readonly [across: Step, up: Step] = [
  [3, 1],
  [-1, 2],
];

function amongChildren([a, b]: Step, [across, up]: readonly [Step, Step]): Step {
  return [a * across[0] + b * up[0], a * across[1] + b * up[1]];
}

const inSeven = (value: number): number => ((value % 7) + 7) % 7;

/** Where a place's remainders by 7, `7·across + up`, are looked up. */
function residue([across, up]: Step): number {
  return 7 * inSeven(across) + inSeven(up);
}

/**
 * The digit of a place at an odd resolution, by its remainders. Seven places share a parent, and no two of them leave the same
 * remainders against the parent's lattice, so the digit is the one that brings the place onto it.
 */
export const ODD_DIGITS: Uint8Array = oddDigits();

function oddDigits(): Uint8Array {
  const digits = new Uint8Array(49);
  for (let a = 0; a < 7; a++) {
    for (let b = 0; b < 7; b++) {
      STEPS.forEach(([across, up], digit) => {
        const parent = amongChildren([a, b], ODD);
        digits[residue([parent[0] + across, parent[1] + up])] = digit;
      });
    }
  }
  return digits;
}

/**
 * Two resolutions at once from an even one: two turns undo one another, so the grandparent's place is a seventh of its own.
 * By remainders: bits 0–5 the two digits, the finer lowest; bits 6 and 7 what has to be added to the quotients across and up.
 */
export const PAIRS: Uint16Array = pairs();

function pairs(): Uint16Array {
  const codes = new Uint16Array(49);
  STEPS.forEach((coarse, coarser) => {
    const [across, up] = amongChildren(coarse, EVEN);
    STEPS.forEach((fine, finer) => {
      const place: Step = [across + fine[0], up + fine[1]];
      const carry = (value: number): number => (inSeven(value) - value) / 7;
      codes[residue(place)] = (carry(place[1]) << 7) | (carry(place[0]) << 6) | (coarser << 3) | finer;
    });
  });
  return codes;
}

/** Three digits at a time, 9 bits, turned by so many times 60° counter-clockwise: `512·turns + digits`. */
export const TURNED: Uint16Array = turned();

function turned(): Uint16Array {
  const table = new Uint16Array(6 * 512);
  for (let turns = 0; turns < 6; turns++) {
    const turn = (digit: number): number => {
      const place = AROUND.indexOf(digit);
      return place < 0 ? digit : AROUND[(place + turns) % 6]!;
    };
    for (let digits = 0; digits < 512; digits++)
      table[512 * turns + digits] = (turn(digits >> 6) << 6) | (turn((digits >> 3) & 7) << 3) | turn(digits & 7);
  }
  return table;
}
