/** Checks the bytes of numbers against the platform's decimal text. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteWriter } from "./bytes.ts";

function written(write: (out: ByteWriter) => void): string {
  const out = new ByteWriter();
  write(out);
  return new TextDecoder().decode(out.takeChunk());
}

test("millionths, tenths and whole numbers are written as toFixed would", () => {
  fc.assert(
    fc.property(fc.integer({ min: -180_000_000, max: 180_000_000 }), (value) => {
      const sign = value < 0 ? "-" : "";
      const fixed = (digits: number) => {
        const text = String(Math.abs(value)).padStart(digits + 1, "0");
        return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
      };
      expect(written((out) => out.writeMillionths(value))).toBe(fixed(6));
      expect(written((out) => out.writeTenths(value))).toBe(fixed(1));
      expect(written((out) => out.writeWhole(value))).toBe(String(value));
    }),
  );
});
