/** Pieces of DuckDB SQL: quoting, literals, and neutral expressions printed. */
import type { Condition, Expression } from "../../partition/index.ts";

export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** Exactly this double: the shortest decimal that reads back as it. */
export function double(value: number): string {
  return `CAST('${value}' AS DOUBLE)`;
}

/** A multiple of the step that makes every instant of years 1 to 9999 positive, so that truncation rounds down. */
const LIFT = 2n ** 60n;

export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case "field":
      return identifier(expression.name);
    case "integer":
      return `CAST(${expression.value} AS BIGINT)`;
    case "sum":
      return `(${printExpression(expression.left)} + ${printExpression(expression.right)})`;
    case "difference":
      return `(${printExpression(expression.left)} - ${printExpression(expression.right)})`;
    case "smaller":
      return `least(${printExpression(expression.left)}, ${printExpression(expression.right)})`;
    case "floorTo": {
      const lift = (LIFT / expression.step) * expression.step;
      return `((${printExpression(expression.of)} + ${lift}) // ${expression.step} * ${expression.step} - ${lift})`;
    }
    case "choice":
      return `CASE WHEN ${printCondition(expression.when)} THEN ${printExpression(expression.then)} ELSE ${printExpression(expression.otherwise)} END`;
  }
}

export function printCondition(condition: Condition): string {
  switch (condition.kind) {
    case "atLeast":
      return `${printExpression(condition.left)} >= ${printExpression(condition.right)}`;
    case "below":
      return `${printExpression(condition.left)} < ${printExpression(condition.right)}`;
    case "flag":
      return identifier(condition.name);
    case "both":
      return `(${printCondition(condition.left)} AND ${printCondition(condition.right)})`;
    case "either":
      return `(${printCondition(condition.left)} OR ${printCondition(condition.right)})`;
  }
}
