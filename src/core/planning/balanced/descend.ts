/** Minimises the goal of a balanced plan: damped Newton steps in which every grid moves as a whole and no user leaves its budget. */
import type { LongWork } from "../long-work.ts";
import type { Goal } from "./goal.ts";
import { PUSHES, Pushes, SIXTH } from "./pushes.ts";
import { TRAITS } from "./spread.ts";

export interface Descent {
  /** What progress calls it, and how many steps were done before. */
  readonly step?: string;
  readonly done?: number;
  /** What each user may spend in all grids together. */
  readonly budget: number;
  readonly mostSteps: number;
}

/** A step multiplies or divides what an entry is spent by at most this. */
const MOST_GROWTH = 3;
/** How often a grid's common directions are solved for within one step, as limits of entries and users come into play: more often once that fails. */
const [FIRST_ROUNDS, MOST_ROUNDS] = [2, 4];
/** It is done when a whole step gains less than this. */
const ENOUGH = 5e-5;
/** Users begin with room to spend more: a boundary is approached, never sat on. */
const ROOM = 0.9;
/** How much of its budget a user spends at most, so that rounding does not carry it beyond. */
const NEARLY_ALL = 1 - 1e-6;
const WEAKEST_STEP = 1 / 1024;
/** The first steps leave the boundary that the start may have sat on, which may cost a little. */
const [FIRST_STEPS, FIRST_COST] = [3, 1.05];

/**
 * The goal's curvature (Gauss–Newton) is diagonal but for a few directions per grid, so a Newton step is a small linear system for each grid. The diagonal is
 * raised by what a budget or zero pushes back with: its price over twice the distance to it, which keeps steps inside (an interior method in the manner of Coleman and Li; over
 * the distance itself, twice as many steps are taken). A step that does not gain is solved more thoroughly, then damped. Deterministic: steps, not the clock.
 */
export function* descend(goal: Goal, from: Float64Array, descent: Descent): LongWork<Float64Array> {
  const { budget, mostSteps, step: name = "balancing weights", done = 0 } = descent;
  const step = new Step(goal, budget);
  const first = goal.value(from);
  let x: Float64Array = withRoom(goal, from, budget);
  let trial: Float64Array = new Float64Array(x.length);
  let value = goal.value(x);
  let damping = 1;
  let rounds = FIRST_ROUNDS;
  for (let count = 0; count < mostSteps; count++) {
    yield { step: name, done: done + count };
    step.prepare(x);
    for (let round = 0; round < rounds; round++) step.solve(x, damping, trial);
    step.take(x, damping, trial);
    const next = goal.value(trial);
    if (!(next < value * (count < FIRST_STEPS ? FIRST_COST : 1))) {
      goal.value(x);
      if (rounds < MOST_ROUNDS) rounds *= 2;
      else damping /= 4;
      if (damping < WEAKEST_STEP) break;
      continue;
    }
    const gain = 1 - next / value;
    [x, trial] = [trial, x];
    value = next;
    if (count > 4 && damping === 1 && Math.abs(gain) < ENOUGH) break;
    damping = Math.min(1, 2 * damping);
  }
  return value < first ? x : from;
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

/**
 * One Newton step: `prepare` at a point, `solve` for how grids move, `take` it. Its loops over entries are nearly all of a plan's
 * time, so they write out the sums over directions (`DIRECTIONS` in pushes.ts says which they are) instead of looping over them.
 */
class Step {
  readonly #goal: Goal;
  readonly #budget: number;
  /** By entry: the slope that is left after the user's price, and how much the entry gives way to it. */
  readonly #slope: Float64Array;
  readonly #softness: Float64Array;
  readonly #pushes: Pushes;

  constructor(goal: Goal, budget: number) {
    const { entries } = goal.occupancy;
    this.#goal = goal;
    this.#budget = budget;
    this.#slope = new Float64Array(entries);
    this.#softness = new Float64Array(entries);
    this.#pushes = new Pushes(goal);
  }

  prepare(x: Float64Array): void {
    const { spent, occupancy, ofSpread } = this.#goal;
    const { start, grid } = occupancy.byUser;
    this.#goal.gradient(x, this.#slope);
    this.#pushes.of.fill(0);
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
        this.#softness[entry] = 1 / (curvature + Math.max(price, left) / (2 * x[entry]!));
      }
    }
  }

  /** Lets grids move once more: entries answer to the present pushes, within users' budgets, and pushes are solved for. */
  solve(x: Float64Array, damping: number, trial: Float64Array): void {
    const { occupancy, traits, spent } = this.#goal;
    const { start, grid } = occupancy.byUser;
    const { answers, stride } = this.#pushes;
    const softness = this.#softness;
    const most = NEARLY_ALL * this.#budget;
    answers.fill(0);
    for (let user = 0; user < occupancy.users.length; user++) {
      const cut = this.#takeOf(user, x, damping, trial);
      for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
        const g = grid[entry]!;
        const before = x[entry]!;
        const after = trial[entry]!;
        const moved = after - before;
        // At its budget a user can give an entry only what the user's others give up.
        const yielding =
          damping * softness[entry]! * bend(after / (cut * before)) * (cut < 1 ? cut * (1 - after / most) : 1);
        const second = (this.#goal.variance(entry) * before) / spent[g]!;
        const third = traits[TRAITS * entry]!;
        const fourth = traits[TRAITS * entry + 1]!;
        const fifth = traits[TRAITS * entry + 2]!;
        const at = stride * g;
        answers[at]! += moved;
        answers[at + 1]! += moved * second;
        answers[at + 2]! += moved * third;
        answers[at + 3]! += moved * fourth;
        answers[at + 4]! += moved * fifth;
        // Row by row of the triangle.
        const bySecond = yielding * second;
        const byThird = yielding * third;
        const byFourth = yielding * fourth;
        const byFifth = yielding * fifth;
        answers[at + 5]! += yielding;
        answers[at + 6]! += bySecond;
        answers[at + 7]! += bySecond * second;
        answers[at + 8]! += byThird;
        answers[at + 9]! += byThird * second;
        answers[at + 10]! += byThird * third;
        answers[at + 11]! += byFourth;
        answers[at + 12]! += byFourth * second;
        answers[at + 13]! += byFourth * third;
        answers[at + 14]! += byFourth * fourth;
        answers[at + 15]! += byFifth;
        answers[at + 16]! += byFifth * second;
        answers[at + 17]! += byFifth * third;
        answers[at + 18]! += byFifth * fourth;
        answers[at + 19]! += byFifth * fifth;
        if (this.#goal.isShort(entry, before)) {
          answers[at + SIXTH]! -= moved;
          answers[at + SIXTH + 1]! -= yielding;
          answers[at + SIXTH + 2]! -= bySecond;
          answers[at + SIXTH + 3]! -= byThird;
          answers[at + SIXTH + 4]! -= byFourth;
          answers[at + SIXTH + 5]! -= byFifth;
          answers[at + SIXTH + 6]! += yielding;
        }
      }
    }
    this.#pushes.solve();
  }

  take(x: Float64Array, damping: number, into: Float64Array): void {
    for (let user = 0; user < this.#goal.occupancy.users.length; user++) this.#takeOf(user, x, damping, into);
  }

  /** Moves a user's entries as their slopes and their grids' pushes say; returns by what factor all were then cut to its budget. */
  #takeOf(user: number, x: Float64Array, damping: number, into: Float64Array): number {
    const { occupancy, traits, spent } = this.#goal;
    const { start, grid } = occupancy.byUser;
    const push = this.#pushes.of;
    let sum = 0;
    for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
      const g = grid[entry]!;
      const before = x[entry]!;
      const at = PUSHES * g;
      const trait = TRAITS * entry;
      let slope =
        this.#slope[entry]! +
        push[at]! +
        (push[at + 1]! * this.#goal.variance(entry) * before) / spent[g]! +
        push[at + 2]! * traits[trait]! +
        push[at + 3]! * traits[trait + 1]! +
        push[at + 4]! * traits[trait + 2]!;
      if (this.#goal.isShort(entry, before)) slope -= push[at + 5]!;
      const moved = -damping * slope * this.#softness[entry]!;
      into[entry] =
        moved >= 0
          ? Math.min(MOST_GROWTH * before, before + moved)
          : Math.max(before / MOST_GROWTH, (before * before) / (before - moved));
      sum += into[entry]!;
    }
    const most = NEARLY_ALL * this.#budget;
    if (sum <= most) return 1;
    for (let entry = start[user]!; entry < start[user + 1]!; entry++) into[entry]! *= most / sum;
    return most / sum;
  }
}

/** How an entry that is multiplied by this factor gives way to more of a push: not at all at its limits. */
function bend(factor: number): number {
  if (factor > MOST_GROWTH * (1 - 1e-9) || factor < (1 / MOST_GROWTH) * (1 + 1e-9)) return 0;
  return factor >= 1 ? 1 : factor * factor;
}
