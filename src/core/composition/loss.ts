/** Computes each user's privacy loss over all grids of a release: by the paper's simple rule, and exactly. */
import { divideCeil, Rational, sum } from "../arithmetic/index.ts";
import { invariant } from "../errors/index.ts";
import { LOSS_UNITS_PER_ONE, noiseScale, type Statistic, sensitivity } from "../influence/index.ts";
import { type Kept, KeptCells } from "../occupancy/index.ts";
import { noiseLattice, stepCounter } from "./noise-lattice.ts";

/** The noise of a release. */
export interface NoiseBudget {
  /** Each made for the release's estimator. */
  readonly statistics: readonly Statistic[];
  /** ε_g per grid. */
  readonly epsilonOfGrid: readonly Rational[];
  /** ε_t per grid and statistic, multiples of 10⁻¹⁸; 0 where no user can move the statistic. */
  readonly epsilonsOfGrid: ReadonlyArray<readonly Rational[]>;
}

/** Every user's loss by the paper's rule: the sum of ε over the grids in which it has kept records (docs/mathematics.md, Theorem 4). */
export function simpleLosses(kept: Kept, noise: NoiseBudget): UserLosses {
  const ofGrid = new LossColumn(kept.ofGrid.length);
  for (let grid = 0; grid < ofGrid.length; grid++) {
    ofGrid.set(grid, toLossParts(unitsUp(noise.epsilonOfGrid[grid]!)));
  }
  return addUp(kept, ofGrid, (grid) => grid);
}

/**
 * Every user's joint loss over all grids, or over those given: per grid Σ_t ⌈Δ_ℓ/s⌉/t on the noise lattices, rounded up to 10⁻¹⁸ (docs/mathematics.md, Theorem 5).
 * Noise is calibrated to a grid's heaviest user; a lighter one moves the statistics less. Losses of single grids add up to the whole.
 */
export function jointLosses(kept: Kept, noise: NoiseBudget, grids?: Iterable<number>): UserLosses {
  if (grids !== undefined) return jointLossesIn(kept, noise, grids);
  const cells = new KeptCells(kept);
  const ofCell = new LossColumn(cells.length);
  for (let grid = 0; grid < kept.ofGrid.length; grid++) {
    if (kept.ofGrid[grid] === 0) continue;
    const lossOf = jointLossInGrid(kept, noise, grid);
    for (let cell = cells.start[grid]!; cell < cells.start[grid + 1]!; cell++) {
      if (cells.users[cell]! > 0) ofCell.set(cell, lossOf(cells.count[cell]!));
    }
  }
  return addUp(kept, ofCell, (grid, owned) => cells.cellOf(grid, owned));
}

/** What a user loses in this grid by how many of its records are kept there, rounded up to 10⁻¹⁸ (docs/mathematics.md, Theorem 5). */
function jointLossInGrid(kept: Kept, noise: NoiseBudget, grid: number): (owned: number) => LossParts {
  const counts = kept.countsOf(grid);
  const terms = noise.statistics.flatMap((statistic, index) => {
    const epsilon = noise.epsilonsOfGrid[grid]![index]!;
    if (epsilon.isZero()) return [];
    const lattice = noiseLattice(statistic, counts, epsilon);
    return [
      {
        steps: stepCounter(statistic, counts, lattice.stepExponent),
        deltaSteps: lattice.deltaSteps,
        units: unitsUp(epsilon),
      },
    ];
  });
  const commonDenominator = terms.reduce((product, term) => product * term.deltaSteps, 1n);
  const factors = terms.map((term) => (term.units * commonDenominator) / term.deltaSteps);
  return (owned) => {
    let numerator = 0n;
    terms.forEach((term, index) => {
      numerator += term.steps(owned) * factors[index]!;
    });
    return toLossParts(divideCeil(numerator, commonDenominator));
  };
}

/** Every user's terms, looked up by grid and kept count: one walk over the entries, user by user. */
function addUp(kept: Kept, losses: LossColumn, indexOf: (grid: number, owned: number) => number): UserLosses {
  const { start, grid } = kept.occupancy.byUser;
  const sums = new UserLosses(kept.occupancy.users.length);
  for (let user = 0; user < sums.length; user++) {
    for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
      const owned = kept.ofEntry[entry]!;
      if (owned > 0) sums.addFrom(losses, indexOf(grid[entry]!, owned), user);
    }
  }
  return sums;
}

/** Of a few grids: grid by grid; equal kept counts of one grid share one exact computation. */
function jointLossesIn(kept: Kept, noise: NoiseBudget, grids: Iterable<number>): UserLosses {
  const { byGrid, users } = kept.occupancy;
  const losses = new UserLosses(users.length);
  for (const grid of grids) {
    if (kept.ofGrid[grid] === 0) continue;
    const lossOf = jointLossInGrid(kept, noise, grid);
    const known = new Map<number, LossParts>();
    for (let position = byGrid.start[grid]!; position < byGrid.start[grid + 1]!; position++) {
      const owned = kept.ofEntry[byGrid.entry[position]!]!;
      if (owned === 0) continue;
      const loss = known.get(owned) ?? lossOf(owned);
      known.set(owned, loss);
      losses.add(byGrid.user[position]!, loss);
    }
  }
  return losses;
}

/**
 * Σ_g Σ_t Δ_t(Γ[g, ℓ])/b[g, t] of one user, exactly: the limit of the joint loss for ever finer lattices (docs/mathematics.md, Theorem 5).
 * For proofs and checks.
 */
export function continuousLossOfUser(kept: Kept, noise: NoiseBudget, user: number): Rational {
  const { start, grid } = kept.occupancy.byUser;
  const terms: Rational[] = [];
  for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
    const owned = kept.ofEntry[entry]!;
    const counts = kept.countsOf(grid[entry]!);
    noise.statistics.forEach((statistic, index) => {
      const epsilon = noise.epsilonsOfGrid[grid[entry]!]![index]!;
      if (epsilon.isZero()) return;
      terms.push(sensitivity(statistic, owned, counts).divide(noiseScale(statistic, counts, epsilon)));
    });
  }
  return sum(terms);
}

function unitsUp(epsilon: Rational): bigint {
  return epsilon.multiply(Rational.of(LOSS_UNITS_PER_ONE)).ceilToInteger();
}

const UNITS_PER_PART = 10n ** 12n;
const CARRY = Number(UNITS_PER_PART);

/** A loss as two integers that doubles hold exactly: upper·10⁻⁶ + lower·10⁻¹⁸, lower below 10¹². */
export interface LossParts {
  readonly upper: number;
  readonly lower: number;
}

/** The parts of a whole number of 10⁻¹⁸ units, exactly (docs/mathematics.md, Theorem 5). */
export function toLossParts(units: bigint): LossParts {
  return { upper: Number(units / UNITS_PER_PART), lower: Number(units % UNITS_PER_PART) };
}

/** Losses by number, as parts. */
export class LossColumn {
  readonly upper: Float64Array;
  readonly lower: Float64Array;

  constructor(length: number) {
    this.upper = new Float64Array(length);
    this.lower = new Float64Array(length);
  }

  get length(): number {
    return this.upper.length;
  }

  set(index: number, loss: LossParts): void {
    this.upper[index] = loss.upper;
    this.lower[index] = loss.lower;
  }
}

/** Sums of losses by user, exact below 9·10⁹ (docs/mathematics.md, Theorem 5). */
export class UserLosses extends LossColumn {
  add(user: number, loss: LossParts): void {
    this.#add(user, loss.upper, loss.lower);
  }

  addFrom(losses: LossColumn, index: number, user: number): void {
    this.#add(user, losses.upper[index]!, losses.lower[index]!);
  }

  addAll(losses: UserLosses): void {
    for (let user = 0; user < this.length; user++) this.addFrom(losses, user, user);
  }

  #add(user: number, moreUpper: number, moreLower: number): void {
    const lower = this.lower[user]! + moreLower;
    const carry = lower >= CARRY ? 1 : 0;
    this.upper[user]! += moreUpper + carry;
    this.lower[user] = lower - carry * CARRY;
  }

  of(user: number): Rational {
    return Rational.of(this.unitsOf(user), LOSS_UNITS_PER_ONE);
  }

  /** In units of 10⁻¹⁸. */
  unitsOf(user: number): bigint {
    return toUnits(this.upper[user]!, this.lower[user]!);
  }

  largest(): Rational {
    let upper = 0;
    let lower = 0;
    for (let user = 0; user < this.length; user++) {
      // As lower parts stay below a unit of the upper ones, this is the order of the losses.
      if (this.upper[user]! > upper || (this.upper[user] === upper && this.lower[user]! > lower)) {
        upper = this.upper[user]!;
        lower = this.lower[user]!;
      }
    }
    return Rational.of(toUnits(upper, lower), LOSS_UNITS_PER_ONE);
  }
}

function toUnits(upper: number, lower: number): bigint {
  invariant(Number.isSafeInteger(upper), "a user's loss is above 9·10⁹");
  return BigInt(upper) * UNITS_PER_PART + BigInt(lower);
}
