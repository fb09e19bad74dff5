/** Pieces of PostgreSQL's SQL: quoting, literals, and neutral expressions printed. Nothing else puts outside text into a query. */
import { VeilgridError } from "../../../core/errors/index.ts";
import { expressionPrinter } from "../print-expression.ts";

/** Whatever the name is: the server looks for exactly this one. A name of more than 63 bytes cannot exist and is never asked for. */
export function identifier(name: string): string {
  if (name.includes("\0"))
    throw new VeilgridError("USAGE", "a name has a zero byte in it, which no name in PostgreSQL can have");
  return `"${name.replaceAll('"', '""')}"`;
}

/** Exactly this double: the shortest decimal that reads back as it. */
export function double(value: number): string {
  return `CAST('${value}' AS double precision)`;
}

export const { expression: printExpression, condition: printCondition } = expressionPrinter({
  identifier,
  integer: (value) => `CAST('${value}' AS bigint)`,
  quotient: (dividend, divisor) => `${dividend} / ${divisor}`,
  commonBits: (left, right) => `(${left} & ${right})`,
  shiftedRight: (of, bits) => `(${of} >> ${bits})`,
});

/** A query as a relation: before version 16 each must have a name. */
export function relation(query: string): string {
  return `(${query}) AS relation`;
}

/**
 * A query that is computed row by row before anything above it looks at it. The planner would otherwise put a column's expression
 * wherever the column is used, and a time zone's hundreds of comparisons into each other. It does not stop several workers.
 */
export function fenced(query: string): string {
  return `${query} OFFSET 0`;
}
