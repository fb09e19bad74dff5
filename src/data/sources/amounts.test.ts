/** Checks which ways of writing amounts are certain, and that what is read of them is what was written. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { amountForm, amountPattern, plainAmount, THOUSANDS } from "./amounts.ts";

test.each([
  [["$1,234.50", "$12"], "$", "", ",", "."],
  [["€ 12", "€ 7"], "€", "", "", "."],
  [["1.234,50 €", "-12 €", ""], "", "€", ".", ","],
  [["12,50 €"], "", "€", "", ","],
  [["1 234,5", "3"], "", "", " ", ","],
  [["1\u202f234", "NaN"], "", "", " ", "."],
  [["12 kr", "1 200 kr"], "", "kr", " ", "."],
  [["Fr. 1'234.50"], "Fr.", "", "'", "."],
  [["US$12.5", "-US$3", "US$-3"], "US$", "", "", "."],
  [["1,234,567"], "", "", ",", "."],
  [["1.234.567"], "", "", ".", ","],
  [["1,234,567", "12.5"], "", "", ",", "."],
])("%j is certain", (cells, prefix, suffix, thousands, decimal) => {
  expect(amountForm(cells)).toEqual({ prefix, suffix, thousands, decimal, isStated: false });
});

test.each([
  ["nothing", []],
  ["blanks", ["", " "]],
  ["plain numbers", ["1", "2.5", "1e3"]],
  ["decimal commas, which are the file's", ["3,5", "12,25"]],
  ["thousands or decimals", ["1,234", "12"]],
  ["thousands or decimals with a currency", ["$1.234"]],
  ["thousands or decimals beside what is certain", ["$1,234", "$1,234.50"]],
  ["two currencies", ["$1", "€1"]],
  ["a currency here and there", ["$1", "2"]],
  ["groups of two", ["1,23,4", "1,234.5"]],
  ["both ways", ["1,234.5", "1.234,5"]],
  ["ids", ["BUS12", "BUS13"]],
  ["units", ["12 km"]],
  ["dates and times", ["12.05.2016", "9:30"]],
  ["text", ["ann"]],
])("%s: none", (_, cells) => expect(amountForm(cells)).toBeUndefined());

test("decimal commas that are told make the doubtful certain", () => {
  expect(amountForm(["1,234 €"], { decimalComma: true })).toMatchObject({ thousands: "", decimal: "," });
});

test("an amount is the number that was written, and nothing else matches", () => {
  const form = fc.record({
    prefix: fc.constantFrom("", "$", "US$", "Fr."),
    thousands: fc.constantFrom(...THOUSANDS, "" as const),
    isComma: fc.boolean(),
  });
  fc.assert(
    fc.property(form, fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), ({ prefix, thousands, isComma }, cents) => {
      const decimal = thousands === "," || (thousands !== "." && !isComma) ? "." : ",";
      const [whole, part] = (Math.abs(cents) / 100).toFixed(2).split(".") as [string, string];
      const grouped = whole.replace(/\B(?=(\d{3})+$)/g, thousands);
      const sign = cents < 0 ? "-" : "";
      const all = { prefix, suffix: "", thousands, decimal, isStated: true } as const;
      expect(Number(plainAmount(`${sign}${prefix}${grouped}${decimal}${part}`, all))).toBe(cents / 100);
      if (thousands === "") return;
      const pattern = new RegExp(`^${amountPattern(all)}$`);
      for (const wrong of [`1${thousands}23`, `1${thousands}23${thousands}4`, `0${thousands}123`, `12${thousands}`])
        expect(pattern.test(`${prefix}${wrong}`)).toBe(false);
    }),
  );
});

test("whatever other cells there are, a cell is read in one way or refused", () => {
  const number = fc
    .array(fc.constantFrom("0", "12", "123", "234", "5", ",", ".", " ", "'"), { minLength: 1, maxLength: 5 })
    .map((pieces) => pieces.join(""));
  const affix = fc.constantFrom("", "$");
  const readings = new Map<string, number>();
  let read = 0;
  fc.assert(
    fc.property(affix, fc.array(number, { minLength: 1, maxLength: 2 }), number, (before, others, cell) => {
      const written = before + cell;
      const form = amountForm(others.map((each) => before + each));
      // Plain numbers are read as ever.
      const plain = form === undefined ? written : plainAmount(written, form);
      if (form !== undefined && !new RegExp(`^${amountPattern(form)}$`).test(written)) return;
      if (!/^[0-9]+(?:[.][0-9]+)?$/.test(plain)) return;
      expect(readings.get(written) ?? Number(plain)).toBe(Number(plain));
      readings.set(written, Number(plain));
      read += form === undefined ? 0 : 1;
    }),
    { numRuns: 20_000 },
  );
  expect(read).toBeGreaterThan(100);
});
