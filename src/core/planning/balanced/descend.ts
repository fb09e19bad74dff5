/** Minimises the goal of a balanced plan: damped Newton steps in which every grid moves as a whole and no user leaves its budget. */
import type { LongWork } from "../long-work.ts";
import { DIRECTIONS, type Goal } from "./goal.ts";

export interface Descent {
  /** What each user may spend in all grids together. */
  readonly budget: number;
  readonly mostSteps: number;
}

/** A step multiplies or divides what an entry is spent by at most this. */
const MOST_GROWTH = 3;
/** How often a grid's common directions are solved for within one step, as limits of single entries come into play. */
const ROUNDS = 2;
/** It is done when a whole step gains less than this. */
const ENOUGH = 2e-5;
/** Users begin with room to spend more: a boundary is approached, never sat on. */
const ROOM = 0.9;
/** How much of its budget a user spends at most, so that rounding does not carry it beyond. */
const NEARLY_ALL = 1 - 1e-6;
const WEAKEST_STEP = 1 / 1024;

/**
 * The goal's curvature (Gauss–Newton) is diagonal but for a few directions per grid, so a Newton step is a small linear system for each grid. The diagonal is
 * raised by what a budget or zero pushes back with: its price over the distance to it, which keeps steps inside (an interior method in the manner of Coleman and Li). A step
 * that does not gain is damped and tried again. Deterministic: steps, not the clock.
 */
export function* descend(goal: Goal, from: Float64Array, { budget, mostSteps }: Descent): LongWork<Float64Array> {
  const step = new Step(goal, budget);
  let x: Float64Array = withRoom(goal, from, budget);
  let trial: Float64Array = new Float64Array(x.length);
  let best = { value: goal.value(from), x: from };
  let value = goal.value(x);
  let damping = 1;
  for (let count = 0; count < mostSteps; count++) {
    yield { step: "balancing weights", done: count, of: mostSteps };
    step.prepare(x);
    for (let round = 0; round < ROUNDS; round++) step.solve(x, damping);
    step.take(x, damping, trial);
    const next = goal.value(trial);
    // The first steps leave the boundary that the start may have sat on, which may cost a little.
    if (!(next < value * (count < 3 ? 1.05 : 1))) {
      goal.value(x);
      damping /= 4;
      if (damping < WEAKEST_STEP) break;
      continue;
    }
    const gain = 1 - next / value;
    [x, trial] = [trial, x];
    value = next;
    if (value < best.value) best = { value, x: x.slice() };
    if (count > 4 && damping === 1 && Math.abs(gain) < ENOUGH) break;
    damping = Math.min(1, 2 * damping);
  }
  return best.x;
}

function withRoom({ occupancy }: Goal, from: Float64Array, budget: number): Float64Array {
  const { start } = occupancy.byUser;
  const x = from.slice();
  for (let user = 0; user < occupancy.users.length; user++) {
    let sum = 0;
    for (let entry = start[user]!; entry < start[user + 1]!; entry++) sum += x[entry]!;
    const factor = Math.min(1, (ROOM * budget) / sum);
    for (let entry = start[user]!; entry < start[user + 1]!; entry++) x[entry]! *= factor;
  }
  return x;
}

/** One Newton step: `prepare` at a point, `solve` for how grids move, `take` it. */
class Step {
  readonly #goal: Goal;
  readonly #budget: number;
  /** By entry: the slope that is left after the user's price, and what divides it. */
  readonly #slope: Float64Array;
  readonly #curvature: Float64Array;
  /** By grid: how strongly each direction is resisted, a square matrix, and how far each is pushed now. */
  readonly #stiffness: Float64Array;
  readonly #push: Float64Array;
  readonly #directions: number;

  constructor(goal: Goal, budget: number) {
    const { entries, grids } = goal.occupancy;
    this.#goal = goal;
    this.#budget = budget;
    this.#slope = new Float64Array(entries);
    this.#curvature = new Float64Array(entries);
    this.#directions = goal.options.worstCasePrice > 0 ? DIRECTIONS : DIRECTIONS - 1;
    this.#stiffness = new Float64Array(DIRECTIONS * DIRECTIONS * grids.length);
    this.#push = new Float64Array(DIRECTIONS * grids.length);
  }

  prepare(x: Float64Array): void {
    const { spent, occupancy, ofSpread, ofNoise } = this.#goal;
    const { start, grid } = occupancy.byUser;
    this.#goal.gradient(x, this.#slope);
    const size = this.#directions;
    // Σ a·v and Σ a·(variance·a) by grid.
    const mean = new Float64Array(DIRECTIONS * spent.length);
    const vector = new Float64Array(DIRECTIONS);
    for (let user = 0; user < occupancy.users.length; user++) {
      let worth = 0;
      for (let entry = start[user]!; entry < start[user + 1]!; entry++) worth -= x[entry]! * this.#slope[entry]!;
      // What one more unit of budget is worth to the user, which falls to this as it nears its budget.
      const price = Math.max(0, worth / this.#budget);
      for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
        const g = grid[entry]!;
        const left = this.#slope[entry]! + price;
        const curvature = (2 * ofSpread[g]! * this.#goal.variance(entry)) / spent[g]! ** 2;
        this.#slope[entry] = left;
        this.#curvature[entry] = curvature + Math.max(price, left) / x[entry]!;
        this.#goal.directions(entry, x[entry]!, vector);
        for (let k = 1; k < size; k++) mean[DIRECTIONS * g + k]! += (x[entry]! / spent[g]!) * vector[k]!;
      }
    }
    this.#push.fill(0);
    this.#stiffness.fill(0);
    for (let g = 0; g < spent.length; g++) {
      const scale = (2 * ofSpread[g]!) / spent[g]! ** 2;
      const set = (i: number, j: number, value: number): void => {
        this.#stiffness[(DIRECTIONS * g + i) * DIRECTIONS + j] = scale * value;
        this.#stiffness[(DIRECTIONS * g + j) * DIRECTIONS + i] = scale * value;
      };
      let whole = mean[DIRECTIONS * g + 1]! + ofNoise[g]! / ofSpread[g]!;
      for (let k = 2; k < size; k++) {
        const price = this.#goal.priceOf(k - 2);
        const average = mean[DIRECTIONS * g + k]!;
        whole += price * average * average;
        set(0, k, -price * average);
        set(k, k, price);
      }
      set(0, 0, whole);
      set(0, 1, -1);
    }
  }

  /** How much of itself an entry grows by, and how fast that changes with the push on it. */
  #growth(wanted: number): readonly [growth: number, slope: number] {
    if (wanted >= MOST_GROWTH - 1) return [MOST_GROWTH - 1, 0];
    if (wanted >= 0) return [wanted, 1];
    if (wanted <= 1 - MOST_GROWTH) return [1 / MOST_GROWTH - 1, 0];
    const factor = 1 / (1 - wanted);
    return [factor - 1, factor * factor];
  }

  #wanted(entry: number, x: Float64Array, damping: number, vector: Float64Array): number {
    this.#goal.directions(entry, x[entry]!, vector);
    const at = DIRECTIONS * this.#goal.occupancy.byUser.grid[entry]!;
    let slope = this.#slope[entry]!;
    for (let k = 0; k < this.#directions; k++) slope += this.#push[at + k]! * vector[k]!;
    return (-damping * slope) / (this.#curvature[entry]! * x[entry]!);
  }

  /** A Newton step on the grids' pushes: each must be the stiffness times how far the entries then move along it. */
  solve(x: Float64Array, damping: number): void {
    const { spent, occupancy } = this.#goal;
    const { grid } = occupancy.byUser;
    const size = this.#directions;
    const moved = new Float64Array(DIRECTIONS * spent.length);
    const response = new Float64Array(DIRECTIONS * DIRECTIONS * spent.length);
    const vector = new Float64Array(DIRECTIONS);
    for (let entry = 0; entry < x.length; entry++) {
      const [growth, slope] = this.#growth(this.#wanted(entry, x, damping, vector));
      const at = DIRECTIONS * grid[entry]!;
      const change = growth * x[entry]!;
      const yielding = (damping * slope) / this.#curvature[entry]!;
      for (let i = 0; i < size; i++) {
        moved[at + i]! += change * vector[i]!;
        for (let j = 0; j <= i; j++) response[(at + i) * DIRECTIONS + j]! += yielding * vector[i]! * vector[j]!;
      }
    }
    for (let g = 0; g < spent.length; g++) this.#solveGrid(DIRECTIONS * g, moved, response);
  }

  #solveGrid(at: number, moved: Float64Array, response: Float64Array): void {
    const size = this.#directions;
    const stiffness = (i: number, j: number): number => this.#stiffness[(at + i) * DIRECTIONS + j]!;
    const rows = Array.from({ length: size }, (_, i) => {
      const row = new Float64Array(size + 1);
      row[size] = this.#push[at + i]!;
      for (let k = 0; k < size; k++) {
        row[size]! -= stiffness(i, k) * moved[at + k]!;
        row[k]! += i === k ? 1 : 0;
        for (let j = 0; j < size; j++)
          row[j]! += stiffness(i, k) * response[(at + Math.max(k, j)) * DIRECTIONS + Math.min(k, j)]!;
      }
      return row;
    });
    solveLinear(rows).forEach((change, i) => {
      this.#push[at + i]! -= change;
    });
  }

  take(x: Float64Array, damping: number, into: Float64Array): void {
    const { occupancy } = this.#goal;
    const { start } = occupancy.byUser;
    const vector = new Float64Array(DIRECTIONS);
    for (let user = 0; user < occupancy.users.length; user++) {
      let sum = 0;
      for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
        const [growth] = this.#growth(this.#wanted(entry, x, damping, vector));
        into[entry] = x[entry]! * (1 + growth);
        sum += into[entry]!;
      }
      const most = NEARLY_ALL * this.#budget;
      if (sum > most) for (let entry = start[user]!; entry < start[user + 1]!; entry++) into[entry]! *= most / sum;
    }
  }
}

/** Solves rows [A | b] by elimination with pivots; a direction that nothing moves along stays 0. */
function solveLinear(rows: Float64Array[]): number[] {
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++)
      if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row;
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    const own = rows[column]!;
    if (own[column] === 0) continue;
    for (let row = column + 1; row < size; row++) {
      const factor = rows[row]![column]! / own[column]!;
      for (let k = column; k <= size; k++) rows[row]![k]! -= factor * own[k]!;
    }
  }
  const solution = new Array<number>(size).fill(0);
  for (let row = size - 1; row >= 0; row--) {
    let rest = rows[row]![size]!;
    for (let k = row + 1; k < size; k++) rest -= rows[row]![k]! * solution[k]!;
    solution[row] = rows[row]![row] === 0 ? 0 : rest / rows[row]![row]!;
  }
  return solution;
}
