/** Whether bounds look as if they were read off the data. Told from how they are written alone. */

/** The first of some numbers, as they were typed, that has more digits than limits, ranges and prices have; undefined if none has. */
export function measuredBound(texts: readonly string[]): string | undefined {
  return texts.find((text) => hasMeasuredDigits(text.trim()));
}

/** Whole numbers such as 48213, and 1234.5. */
const MOST_DIGITS = 4;

function hasMeasuredDigits(text: string): boolean {
  const [, whole, fraction] = /^[+-]?0*(\d*)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  // Exponents are not how data is copied.
  if (whole === undefined) return false;
  const decimals = fraction ?? "";
  const digits = (whole + decimals).replace(/^0+/, "").replace(/0+$/, "");
  // 99.99 is a price, 1.25 a quarter.
  if (/^9+$/.test(digits) || /^(25|75)$/.test(decimals)) return digits.length > MOST_DIGITS + 1;
  if (decimals.length >= 2) return digits.length >= 3;
  return digits.length > MOST_DIGITS && !(decimals === "" && isSensorRange(BigInt(whole)));
}

/** 65535 and 65536: what so many bits can count to. */
function isSensorRange(whole: bigint): boolean {
  return (whole & (whole + 1n)) === 0n || (whole & (whole - 1n)) === 0n;
}
