/** ε from the preferred numbers of ISO 3: evenly spaced on a logarithmic axis to within rounding, and short to write down. */

/** The R20 series: twenty steps from 1 up to 10. R10 takes every second of them, R5 every fourth. */
const R20 = [
  "1.00 1.12 1.25 1.40 1.60 1.80 2.00 2.24 2.50 2.80",
  "3.15 3.55 4.00 4.50 5.00 5.60 6.30 7.10 8.00 9.00",
].flatMap((line) => line.split(" "));

/** Those within [from, to], ascending, as exact decimals without trailing zeros. */
export function preferredNumbers(series: 5 | 10 | 20, from: number, to: number): string[] {
  const found: string[] = [];
  for (let power = Math.floor(Math.log10(from)) - 1; power <= Math.ceil(Math.log10(to)); power++) {
    for (let step = 0; step < R20.length; step += R20.length / series) {
      const text = shifted(R20[step]!, power);
      if (Number(text) >= from && Number(text) <= to) found.push(text);
    }
  }
  return found;
}

/** "1.25" times ten to a power, in text. */
function shifted(text: string, power: number): string {
  const digits = text.replace(".", "");
  const point = 1 + power;
  const padded = point <= 0 ? `${"0".repeat(1 - point)}${digits}` : digits.padEnd(point, "0");
  const whole = point <= 0 ? "0" : padded.slice(0, point);
  const rest = padded.slice(whole.length).replace(/0+$/, "");
  return rest === "" ? whole : `${whole}.${rest}`;
}
