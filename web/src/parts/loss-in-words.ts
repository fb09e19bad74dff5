/** Describes a privacy loss: an attacker's chances, a name for its strength, and how often the budget holds it. */
import { tryParseDecimal } from "../../../src/core/arithmetic/index.ts";

/** Of 100 attackers who each guess between two things, so many are right with nothing to go by. */
export const RIGHT_BY_GUESSING = 50;

/** Of 100, so many at most are right after seeing everything published: 100·e^λ/(1 + e^λ), rounded up. */
export function rightInHundred(loss: number): number {
  if (!(loss > 0)) return RIGHT_BY_GUESSING;
  return Math.ceil(100 / (1 + Math.exp(-loss)));
}

export interface Strength {
  readonly name: "strong" | "good" | "modest" | "weak" | "hardly any";
  /** The largest loss that is called so. */
  readonly upTo: number;
}

/** Ours; the mathematics knows no such names. */
export const STRENGTHS: readonly Strength[] = [
  { name: "strong", upTo: 0.5 },
  { name: "good", upTo: 1 },
  { name: "modest", upTo: 2 },
  { name: "weak", upTo: 4 },
  { name: "hardly any", upTo: Number.POSITIVE_INFINITY },
];

export function strengthOf(loss: number): Strength {
  return STRENGTHS.find(({ upTo }) => loss <= upTo) ?? STRENGTHS.at(-1)!;
}

/** How many releases of this loss fit in what is left; Infinity for a loss of 0. Numbers are taken as the decimals they are written as. */
export function releasesThatFit({ loss, left }: { readonly loss: number; readonly left: number }): number {
  if (!(loss > 0)) return Number.POSITIVE_INFINITY;
  const [whole, part] = [tryParseDecimal(String(left)), tryParseDecimal(String(loss))];
  if (whole === undefined || part === undefined || whole.sign() <= 0) return 0;
  return Number(whole.divide(part).floorToInteger());
}

/** What a budget is made of, as shares of its whole: what is spent, this release, and those that still fit after it. */
export interface BudgetBlocks {
  readonly spent: number;
  readonly now: number;
  /** How many more after this one. */
  readonly more: number;
  readonly fits: boolean;
  /** In whole releases cannot be spent. */
  readonly rest: number;
}

export function budgetBlocks({
  loss,
  budget,
  left,
}: Readonly<Record<"loss" | "budget" | "left", number>>): BudgetBlocks {
  const count = releasesThatFit({ loss, left });
  const fits = count >= 1;
  const spent = Math.max(0, budget - left);
  const whole = fits ? budget : spent + loss;
  const more = Number.isFinite(count) && fits ? count - 1 : 0;
  const share = (part: number): number => (whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0);
  const rest = fits ? Math.max(0, left - (1 + more) * loss) : 0;
  return { spent: share(spent), now: share(loss), more, fits, rest: share(rest) };
}
