/** A neutral expression over whole numbers, small enough that every engine prints it the same way and a test can evaluate it. */

/** A whole number of at most 63 bits, or nothing where a field is missing. */
export type Expression =
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "integer"; readonly value: bigint }
  | { readonly kind: "sum" | "difference" | "smaller"; readonly left: Expression; readonly right: Expression }
  /** Bits that both have; of numbers that are not negative. */
  | { readonly kind: "commonBits"; readonly left: Expression; readonly right: Expression }
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
  | { readonly kind: "atLeast" | "below" | "equal"; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "noneOf"; readonly of: Expression; readonly values: readonly bigint[] }
  | { readonly kind: "flag"; readonly name: string }
  | { readonly kind: "both" | "either"; readonly left: Condition; readonly right: Condition };

export const field = (name: string): Expression => ({ kind: "field", name });
export const integer = (value: bigint): Expression => ({ kind: "integer", value });
export const plus = (left: Expression, right: Expression): Expression => ({ kind: "sum", left, right });
export const minus = (left: Expression, right: Expression): Expression => ({ kind: "difference", left, right });
export const smaller = (left: Expression, right: Expression): Expression => ({ kind: "smaller", left, right });
export const commonBits = (left: Expression, right: Expression): Expression => ({ kind: "commonBits", left, right });
export const shiftedRight = (of: Expression, bits: number): Expression => ({ kind: "shiftedRight", of, bits });
export const floorTo = (of: Expression, step: bigint): Expression => ({ kind: "floorTo", of, step });
export const choice = (when: Condition, then: Expression, otherwise: Expression): Expression => ({
  kind: "choice",
  when,
  then,
  otherwise,
});
export const atLeast = (left: Expression, right: Expression): Condition => ({ kind: "atLeast", left, right });
export const below = (left: Expression, right: Expression): Condition => ({ kind: "below", left, right });
export const equal = (left: Expression, right: Expression): Condition => ({ kind: "equal", left, right });
export const noneOf = (of: Expression, values: readonly bigint[]): Condition => ({ kind: "noneOf", of, values });
export const both = (left: Condition, right: Condition): Condition => ({ kind: "both", left, right });
export const either = (left: Condition, right: Condition): Condition => ({ kind: "either", left, right });
export const flag = (name: string): Condition => ({ kind: "flag", name });

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
    case "sum":
      return evaluate(expression.left, fields) + evaluate(expression.right, fields);
    case "difference":
      return evaluate(expression.left, fields) - evaluate(expression.right, fields);
    case "smaller": {
      const left = evaluate(expression.left, fields);
      const right = evaluate(expression.right, fields);
      return left < right ? left : right;
    }
    case "commonBits":
      return evaluate(expression.left, fields) & evaluate(expression.right, fields);
    case "shiftedRight":
      return evaluate(expression.of, fields) >> BigInt(expression.bits);
    case "floorTo": {
      const value = evaluate(expression.of, fields);
      const rest = value % expression.step;
      return value - (rest < 0n ? rest + expression.step : rest);
    }
    case "choice":
      return evaluate(holds(expression.when, fields) ? expression.then : expression.otherwise, fields);
  }
}

export function holds(condition: Condition, fields: Fields): boolean {
  switch (condition.kind) {
    case "atLeast":
      return evaluate(condition.left, fields) >= evaluate(condition.right, fields);
    case "below":
      return evaluate(condition.left, fields) < evaluate(condition.right, fields);
    case "equal":
      return evaluate(condition.left, fields) === evaluate(condition.right, fields);
    case "noneOf":
      return !condition.values.includes(evaluate(condition.of, fields));
    case "flag":
      return fields.flags?.[condition.name] ?? false;
    case "both":
      return holds(condition.left, fields) && holds(condition.right, fields);
    case "either":
      return holds(condition.left, fields) || holds(condition.right, fields);
  }
}
