/** Neutral expressions over whole numbers, few enough in kind that every engine prints them and a test can evaluate them. */
import { itemAt } from "../../core/errors/index.ts";

const BINARY = {
  sum: (left: bigint, right: bigint) => left + right,
  difference: (left: bigint, right: bigint) => left - right,
  product: (left: bigint, right: bigint) => left * right,
  /** Rounded down; of numbers that are not negative. */
  quotient: (left: bigint, right: bigint) => left / right,
  smaller: (left: bigint, right: bigint) => (left < right ? left : right),
  /** Bits that both have; of numbers that are not negative. */
  commonBits: (left: bigint, right: bigint) => left & right,
} as const;

const COMPARISONS = {
  atLeast: (left: bigint, right: bigint) => left >= right,
  below: (left: bigint, right: bigint) => left < right,
  equal: (left: bigint, right: bigint) => left === right,
} as const;

type Binary = keyof typeof BINARY;
type Comparison = keyof typeof COMPARISONS;

/** A whole number, or nothing where a field is missing. */
export type Expression =
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "integer"; readonly value: bigint }
  | { readonly kind: Binary; readonly left: Expression; readonly right: Expression }
  /** Without its lowest bits; of a number that is not negative. */
  | { readonly kind: "shiftedRight"; readonly of: Expression; readonly bits: number }
  /** The largest multiple of `step` that is not above `of`, also for numbers below 0. */
  | { readonly kind: "floorTo"; readonly of: Expression; readonly step: bigint }
  | {
      readonly kind: "choice";
      readonly when: Condition;
      readonly then: Expression;
      readonly otherwise: Expression;
    };

export type Condition =
  | { readonly kind: Comparison; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "noneOf"; readonly of: Expression; readonly values: readonly bigint[] }
  | { readonly kind: "flag"; readonly name: string }
  | { readonly kind: "both" | "either"; readonly left: Condition; readonly right: Condition };

const binary =
  (kind: Binary) =>
  (left: Expression, right: Expression): Expression => ({ kind, left, right });
const comparison =
  (kind: Comparison) =>
  (left: Expression, right: Expression): Condition => ({ kind, left, right });

export const field = (name: string): Expression => ({ kind: "field", name });
export const integer = (value: bigint): Expression => ({ kind: "integer", value });
export const plus = binary("sum");
export const minus = binary("difference");
export const times = binary("product");
export const quotient = binary("quotient");
export const smaller = binary("smaller");
export const commonBits = binary("commonBits");
export const shiftedRight = (of: Expression, bits: number): Expression => ({ kind: "shiftedRight", of, bits });
export const floorTo = (of: Expression, step: bigint): Expression => ({ kind: "floorTo", of, step });
export const choice = (when: Condition, then: Expression, otherwise: Expression): Expression => ({
  kind: "choice",
  when,
  then,
  otherwise,
});
export const atLeast = comparison("atLeast");
export const below = comparison("below");
export const equal = comparison("equal");
export const noneOf = (of: Expression, values: readonly bigint[]): Condition => ({ kind: "noneOf", of, values });
export const both = (left: Condition, right: Condition): Condition => ({ kind: "both", left, right });
export const either = (left: Condition, right: Condition): Condition => ({ kind: "either", left, right });
export const flag = (name: string): Condition => ({ kind: "flag", name });

/** What `leaf` makes of the last item whose start the key reaches, found by halving: hundreds of items cost a handful of comparisons. */
export function lastReached<Item>(
  key: Expression,
  items: readonly Item[],
  { start, leaf }: { start: (item: Item) => bigint; leaf: (item: Item) => Expression },
): Expression {
  if (items.length === 1) return leaf(itemAt(items, 0));
  const middle = items.length >> 1;
  return choice(
    below(key, integer(start(itemAt(items, middle)))),
    lastReached(key, items.slice(0, middle), { start, leaf }),
    lastReached(key, items.slice(middle), { start, leaf }),
  );
}

/** What the fields of one record hold. */
export interface Fields {
  readonly integers: Readonly<Record<string, bigint>>;
  readonly flags?: Readonly<Record<string, boolean>>;
}

/** The reference meaning of an expression. */
export function evaluate(expression: Expression, fields: Fields): bigint {
  switch (expression.kind) {
    case "field":
      return fields.integers[expression.name]!;
    case "integer":
      return expression.value;
    case "shiftedRight":
      return evaluate(expression.of, fields) >> BigInt(expression.bits);
    case "floorTo": {
      const value = evaluate(expression.of, fields);
      const rest = value % expression.step;
      return value - (rest < 0n ? rest + expression.step : rest);
    }
    case "choice":
      return evaluate(holds(expression.when, fields) ? expression.then : expression.otherwise, fields);
    default:
      return BINARY[expression.kind](evaluate(expression.left, fields), evaluate(expression.right, fields));
  }
}

export function holds(condition: Condition, fields: Fields): boolean {
  switch (condition.kind) {
    case "noneOf":
      return !condition.values.includes(evaluate(condition.of, fields));
    case "flag":
      return fields.flags?.[condition.name] ?? false;
    case "both":
      return holds(condition.left, fields) && holds(condition.right, fields);
    case "either":
      return holds(condition.left, fields) || holds(condition.right, fields);
    default:
      return COMPARISONS[condition.kind](evaluate(condition.left, fields), evaluate(condition.right, fields));
  }
}
