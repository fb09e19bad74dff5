/** Neutral expressions as SQL: what engines write alike is here, what they write their own way they say. */
import type { Condition, Expression } from "../partition/index.ts";

export interface ExpressionDialect {
  identifier(name: string): string;
  /** A 64-bit literal. */
  integer(value: bigint): string;
  /** Of 64-bit integers, both positive, rounded down. */
  quotient(dividend: string, divisor: bigint): string;
  /** Of 64-bit integers, none negative. */
  commonBits(left: string, right: string): string;
  shiftedRight(of: string, bits: number): string;
}

/** A multiple of the step that makes every instant of years 1 to 9999 positive, so that truncation rounds down. */
const LIFT = 2n ** 60n;

export interface ExpressionPrinter {
  expression(expression: Expression): string;
  condition(condition: Condition): string;
}

export function expressionPrinter(dialect: ExpressionDialect): ExpressionPrinter {
  function print(expression: Expression): string {
    switch (expression.kind) {
      case "field":
        return dialect.identifier(expression.name);
      case "integer":
        return dialect.integer(expression.value);
      case "sum":
        return `(${print(expression.left)} + ${print(expression.right)})`;
      case "difference":
        return `(${print(expression.left)} - ${print(expression.right)})`;
      case "smaller":
        return `least(${print(expression.left)}, ${print(expression.right)})`;
      case "commonBits":
        return dialect.commonBits(print(expression.left), print(expression.right));
      case "shiftedRight":
        return dialect.shiftedRight(print(expression.of), expression.bits);
      case "floorTo": {
        const lift = (LIFT / expression.step) * expression.step;
        const steps = dialect.quotient(`(${print(expression.of)} + ${lift})`, expression.step);
        return `(${steps} * ${expression.step} - ${lift})`;
      }
      case "choice":
        return `CASE WHEN ${condition(expression.when)} THEN ${print(expression.then)} ELSE ${print(expression.otherwise)} END`;
    }
  }

  function condition(each: Condition): string {
    switch (each.kind) {
      case "atLeast":
        return `${print(each.left)} >= ${print(each.right)}`;
      case "below":
        return `${print(each.left)} < ${print(each.right)}`;
      case "equal":
        return `${print(each.left)} = ${print(each.right)}`;
      case "noneOf":
        return `${print(each.of)} NOT IN (${each.values.join(", ")})`;
      case "flag":
        return dialect.identifier(each.name);
      case "both":
        return `(${condition(each.left)} AND ${condition(each.right)})`;
      case "either":
        return `(${condition(each.left)} OR ${condition(each.right)})`;
    }
  }

  return { expression: print, condition };
}
