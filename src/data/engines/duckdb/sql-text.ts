/** Pieces of DuckDB SQL: quoting, literals, and neutral expressions printed. */
import { expressionPrinter } from "../print-expression.ts";

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

export const { expression: printExpression, condition: printCondition } = expressionPrinter({
  identifier,
  integer: (value) => `CAST(${value} AS BIGINT)`,
  quotient: (dividend, divisor) => `${dividend} // ${divisor}`,
  commonBits: (left, right) => `(${left} & ${right})`,
  shiftedRight: (of, bits) => `(${of} >> ${bits})`,
});
