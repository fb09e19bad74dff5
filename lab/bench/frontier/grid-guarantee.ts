/** What a grid of a plan guarantees and what each of its users pays for it, in exact fractions: bias, noise, error, loss. */
import { Fraction, larger } from "./fraction.js";
import type { PlanFile, PlanFileNoise } from "./plan-file.js";

/** Losses are whole numbers of 10⁻¹⁸. */
export const UNITS_PER_ONE = 10n ** 18n;

export interface GridCounts {
  /** n. */
  readonly total: number;
  /** k. */
  readonly kept: number;
  /** Records kept of the user with most. */
  readonly largest: number;
}

export interface UserPrice {
  /** Σ_t influence_t/b_t. */
  readonly continuous: Fraction;
  /** Σ_t ⌈Δ_ℓ/s⌉/t, rounded up. */
  readonly units: bigint;
}

type Model = Pick<PlanFile, "width" | "statistics" | "weights" | "metric" | "estimator">;

const HALF = Fraction.of(1, 2);
const LATTICE_FINENESS = Fraction.of(1n, 1n << 40n);

/** How far `owned` of `total` samples move a statistic. */
function influence(model: Model, statistic: "mean" | "variance", owned: number, total: number): Fraction {
  if (statistic === "mean") return model.width.times(Fraction.of(owned, total));
  const movable = BigInt(Math.min(owned, Math.floor(total / 2)));
  const samples = BigInt(total);
  return model.width.times(model.width).times(Fraction.of(movable * (samples - movable), samples * samples));
}

export class GridGuarantee {
  /** By statistic. Null: the estimator has nothing to go by. */
  readonly bias: ReadonlyArray<Fraction | null>;
  /** Laplace scales. Null: a statistic that somebody can move is given no ε, so no noise hides it. */
  readonly scales: ReadonlyArray<Fraction | null>;
  readonly #model: Model;
  readonly #counts: GridCounts;
  readonly #noise: PlanFileNoise;
  readonly #priceOfOwned = new Map<number, UserPrice>();

  constructor(model: Model, counts: GridCounts, noise: PlanFileNoise) {
    this.#model = model;
    this.#counts = counts;
    this.#noise = noise;
    this.bias = model.statistics.map((statistic) => this.#biasOf(statistic));
    this.scales = model.statistics.map((_, at) => {
      const delta = this.#moves(at, counts.largest);
      if (delta.isZero()) return Fraction.ZERO;
      return noise.epsilons[at]!.isAbove(Fraction.ZERO) ? delta.over(noise.epsilons[at]!) : null;
    });
  }

  /** Bias plus noise of a statistic; null where nothing is guaranteed. */
  errorOf(at: number): Fraction | null {
    const bias = this.bias[at]!;
    const scale = this.scales[at]!;
    return bias === null || scale === null ? null : bias.plus(scale);
  }

  /** In the plan's metric. */
  error(): Fraction | null {
    let error = Fraction.ZERO;
    for (let at = 0; at < this.#model.statistics.length; at++) {
      const one = this.errorOf(at);
      if (one === null) return null;
      error =
        this.#model.metric === "sum"
          ? error.plus(this.#model.weights[at]!.times(one))
          : larger(error, one.over(this.#dataFreeError(at)));
    }
    return error;
  }

  /** What a user pays that has `owned` records kept here; null where a statistic it moves has no noise. */
  priceOf(owned: number): UserPrice | null {
    const known = this.#priceOfOwned.get(owned);
    if (known !== undefined) return known;
    let continuous = Fraction.ZERO;
    let lattice = Fraction.ZERO;
    for (let at = 0; at < this.scales.length; at++) {
      const scale = this.scales[at]!;
      if (scale === null) return null;
      if (scale.isZero()) continue;
      const moved = this.#moves(at, owned);
      const step = this.#latticeStep(at);
      const reach = Fraction.of(this.#moves(at, this.#counts.largest).over(step).ceiling());
      // The discrete noise has P(k) ∝ exp(−|k|/t).
      const t = reach.over(this.#noise.epsilons[at]!);
      continuous = continuous.plus(moved.over(scale));
      lattice = lattice.plus(Fraction.of(moved.over(step).ceiling()).over(t));
    }
    const price = { continuous, units: lattice.times(Fraction.of(UNITS_PER_ONE)).ceiling() };
    this.#priceOfOwned.set(owned, price);
    return price;
  }

  /** Influence of a user with `owned` kept records on the published statistic. */
  #moves(at: number, owned: number): Fraction {
    const { kept, total } = this.#counts;
    if (owned === 0) return Fraction.ZERO;
    const ofKept = influence(this.#model, this.#model.statistics[at]!, owned, kept);
    // For the mean this is U·Γ/k · k/n = U·Γ/n.
    return this.#model.estimator === "centred" ? ofKept.times(Fraction.of(kept, total)) : ofKept;
  }

  #biasOf(statistic: "mean" | "variance"): Fraction | null {
    const { kept, total } = this.#counts;
    if (total === 0) return null;
    const whole = influence(this.#model, statistic, total - kept, total);
    if (this.#model.estimator === "centred") return whole.times(HALF);
    return kept === 0 ? null : whole;
  }

  /** The largest power of two not above min(Δ, Δ/ε_t)·2⁻⁴⁰. */
  #latticeStep(at: number): Fraction {
    const delta = this.#moves(at, this.#counts.largest);
    const scale = this.scales[at]!;
    const limit = (delta.isAbove(scale) ? scale : delta).times(LATTICE_FINENESS);
    let step = Fraction.of(1);
    while (step.isAbove(limit)) step = step.times(HALF);
    while (!step.over(HALF).isAbove(limit)) step = step.over(HALF);
    return step;
  }

  #dataFreeError(at: number): Fraction {
    const { width } = this.#model;
    return this.#model.statistics[at] === "mean" ? width.times(HALF) : width.times(width).times(Fraction.of(1, 8));
  }
}
