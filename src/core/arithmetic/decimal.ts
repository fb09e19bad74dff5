/** Reads decimal text as exact rationals: 0.1 + 0.2 is 0.3 here. */
import { quoteForMessage, VeilgridError } from "../errors/index.ts";
import { Rational } from "./rational.ts";

const DECIMAL = /^([+-]?)(\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d{1,3}))?$/;
const LONGEST_TEXT = 400;

/** The exact value of decimal text such as `0.1`, `-3` or `1e-6`, or undefined if it is none. */
export function tryParseDecimal(text: string): Rational | undefined {
  return text.length <= LONGEST_TEXT ? readDecimal(text.trim()) : undefined;
}

function readDecimal(text: string): Rational | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, sign, digits, exponentText] = match;
  const [whole, fraction = ""] = digits!.split(".");
  const exponent = Number(exponentText ?? 0) - fraction.length;
  const powerOfTen = (power: number): bigint => 10n ** BigInt(Math.max(0, power));
  return Rational.of(BigInt(`${sign}${whole}${fraction}`) * powerOfTen(exponent), powerOfTen(-exponent));
}

/** The exact value of decimal text; `name` says in the error which parameter it was. */
export function parseDecimal(text: string, name = "number"): Rational {
  const value = tryParseDecimal(text);
  if (value === undefined) {
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `${name} ${quoteForMessage(text)} is not a decimal number; write it like 0.5`,
    );
  }
  return value;
}

/** Reads back what `Rational.toString` wrote: a decimal or `numerator/denominator`; undefined if it is neither. */
export function tryParseExact(text: string): Rational | undefined {
  const fraction = /^(-?\d{1,4000})\/(\d{1,4000})$/.exec(text);
  if (fraction === null) return /^-?\d{1,4000}(\.\d{1,4000})?$/.test(text) ? readDecimal(text) : undefined;
  const denominator = BigInt(fraction[2]!);
  return denominator === 0n ? undefined : Rational.of(BigInt(fraction[1]!), denominator);
}
