/** Moves whole grids along their common directions: a small linear system by grid, in which entries' answers are added up. */
import { type Goal, LEANING, SHORT_WEIGHT, SQUARES, SUMS } from "./goal.ts";
import { TRAITS } from "./spread.ts";

/**
 * The vectors along which A or X sees a grid as a whole. An entry's components are, in this order: 1, for X; variance·a, for how A
 * falls as X rises; its traits; and −1 where a < p, for the price of the worst case. Without that price the last is left out.
 */
const DIRECTIONS = 2 + TRAITS + 1;

/** Numbers by grid in `Pushes.of`: those of one grid lie in one line of the cache. */
export const PUSHES = 8;
/** Where the sixth direction's answers begin; without it a grid has no more than these. */
export const SIXTH = 20;

export class Pushes {
  readonly #goal: Goal;
  readonly #size: number;
  /** By grid and direction: what is added to an entry's slope, times its component. */
  readonly of: Float64Array;
  /**
   * `stride` numbers by grid: how far entries move along the first five directions, then how they yield to pushes, the lower triangle
   * of a matrix row by row; then both of the sixth direction.
   */
  readonly answers: Float64Array;
  readonly stride: number;
  /** Rows [A | b]. */
  readonly #rows: Float64Array[];

  constructor(goal: Goal) {
    const grids = goal.spent.length;
    this.#goal = goal;
    this.#size = goal.options.worstCasePrice > 0 ? DIRECTIONS : DIRECTIONS - 1;
    this.stride = this.#size < DIRECTIONS ? SIXTH : SIXTH + 1 + DIRECTIONS;
    this.of = new Float64Array(PUSHES * grids);
    this.answers = new Float64Array(this.stride * grids);
    this.#rows = Array.from({ length: this.#size }, () => new Float64Array(this.#size + 1));
  }

  /**
   * A Newton step on the pushes, from the answers to the present ones: each push must be the stiffness times how far the entries
   * then move along it. At the point that the goal was last evaluated.
   */
  solve(): void {
    const { spent } = this.#goal;
    const stiffness = new Float64Array(DIRECTIONS * DIRECTIONS);
    for (let g = 0; g < spent.length; g++) {
      this.#stiffnessOf(g, stiffness);
      this.#fillRows(g, stiffness);
      const rows = this.#rows;
      solveLinear(rows);
      for (let i = 0; i < this.#size; i++) this.of[PUSHES * g + i]! -= rows[i]![this.#size]!;
    }
  }

  /** How strongly a grid resists being moved along its directions: the goal's curvature but for its diagonal. */
  #stiffnessOf(g: number, into: Float64Array): void {
    const { sums, spent, options, ofSpread, ofNoise } = this.#goal;
    const scale = (2 * ofSpread[g]!) / spent[g]! ** 2;
    const set = (i: number, j: number, value: number): void => {
      into[DIRECTIONS * i + j] = scale * value;
      into[DIRECTIONS * j + i] = scale * value;
    };
    let whole = sums[SUMS * g + SQUARES]! + ofNoise[g]! / ofSpread[g]!;
    for (let k = 2; k < this.#size; k++) {
      const isTrait = k < DIRECTIONS - 1;
      const price = isTrait ? options.spread.trend ** 2 : options.worstCasePrice ** 2;
      // Σ a·component: what the direction loses as X rises.
      const average = isTrait ? sums[SUMS * g + LEANING + k - 2]! : -sums[SUMS * g + SHORT_WEIGHT]!;
      whole += price * average * average;
      set(0, k, -price * average);
      set(k, k, price);
    }
    set(0, 0, whole);
    set(0, 1, -1);
  }

  #fillRows(g: number, stiffness: Float64Array): void {
    const { answers } = this;
    const size = this.#size;
    const at = this.stride * g;
    for (let i = 0; i < size; i++) {
      const row = this.#rows[i]!;
      row.fill(0);
      row[i] = 1;
      row[size] = this.of[PUSHES * g + i]!;
      for (let k = 0; k < size; k++) {
        const resistance = stiffness[DIRECTIONS * i + k]!;
        if (resistance === 0) continue;
        row[size]! -= resistance * answers[at + (k < DIRECTIONS - 1 ? k : SIXTH)]!;
        for (let j = 0; j < size; j++) row[j]! += resistance * answers[at + yielded(k, j)]!;
      }
    }
  }
}

/** Where the answer along one direction to a push along the other stands. */
function yielded(i: number, j: number): number {
  const [row, column] = i < j ? [j, i] : [i, j];
  return row < DIRECTIONS - 1 ? DIRECTIONS - 1 + (row * (row + 1)) / 2 + column : SIXTH + 1 + column;
}

/** Solves rows [A | b] by elimination with pivots, into b; a direction that nothing moves along stays 0. */
function solveLinear(rows: Float64Array[]): void {
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++)
      if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row;
    const own = rows[pivot]!;
    rows[pivot] = rows[column]!;
    rows[column] = own;
    if (own[column] === 0) continue;
    for (let row = column + 1; row < size; row++) {
      const factor = rows[row]![column]! / own[column]!;
      for (let k = column; k <= size; k++) rows[row]![k]! -= factor * own[k]!;
    }
  }
  for (let row = size - 1; row >= 0; row--) {
    const own = rows[row]!;
    let rest = own[size]!;
    for (let k = row + 1; k < size; k++) rest -= own[k]! * rows[k]![size]!;
    own[size] = own[row] === 0 ? 0 : rest / own[row]!;
  }
}
