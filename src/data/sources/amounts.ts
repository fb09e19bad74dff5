/** Reads how a column of a delimited file writes amounts: `$1,234.50`, `1.234,50 €`. A form is used only where the first rows allow one reading. */
import { isNoNumber } from "../partition/index.ts";

export interface AmountForm {
  /** The currency before or after every number, as it is written; at most one of both is not empty. */
  readonly prefix: string;
  readonly suffix: string;
  /** Empty: there are none. */
  readonly thousands: Thousands | "";
  readonly decimal: "." | ",";
  /** The curator said what the signs mean, so that a cell such as 1,234 can be read. */
  readonly isStated: boolean;
}

export const THOUSANDS = [",", ".", " ", "'"] as const;
export type Thousands = (typeof THOUSANDS)[number];

const SPACE = "[ \u00a0\u202f]";
const SEPARATORS: Readonly<Record<Thousands, string>> = { ",": ",", ".": "[.]", " ": SPACE, "'": "['\u2019]" };
/** Of letters alone only these: any others may be a unit, or an id such as BUS12. */
const CODES =
  "USD|EUR|GBP|CHF|JPY|CNY|INR|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|TRY|BRL|MXN|ARS|CLP|COP|PEN|AUD|CAD|NZD|ZAR|NGN|KES|RUB|UAH|KRW|IDR|THB|PHP|VND|MYR|SGD|HKD|TWD|ILS|AED|SAR|EGP|PKR|BDT";
const CURRENCY = `\\p{L}{0,3}\\p{Sc}|${CODES}|(?:kr|Rs|Fr|Kč|zł|Ft|lei)[.]?`;
/** Nothing but plain numbers in every line. */
const PLAIN = /^(?!.*[.]\d+[.])[0-9.+\-eE\n]*$/s;
const PARTS = new RegExp(
  `^[+-]?(?<prefix>${CURRENCY})?${SPACE}?[+-]?(?<digits>[0-9](?:[0-9.,'\u2019 \u00a0\u202f]*[0-9])?)${SPACE}?(?<suffix>${CURRENCY})?$`,
  "u",
);

/**
 * The form of all filled cells; undefined if they have none in common, and where they are plain numbers.
 *
 * Cells may be protected values, and one user's must not change how another's are read. So whatever the other cells are, an
 * inferred form reads a cell in one way or refuses it: `1,234` and `1.234` are a thousand in no inferred form.
 */
export function amountForm(
  cells: readonly string[],
  stated: { readonly decimalComma?: boolean | undefined } = {},
): AmountForm | undefined {
  if (PLAIN.test(cells.join("\n"))) return undefined;
  const amounts: Array<Readonly<Record<string, string>>> = [];
  for (const cell of cells) {
    const parts = PARTS.exec(cell.trim())?.groups;
    if (parts !== undefined) amounts.push(parts);
    else if (!isNoNumber(cell)) return undefined;
  }
  const first = amounts[0];
  if (first === undefined) return undefined;
  const { prefix = "", suffix = "" } = first;
  const isAlike = amounts.every((each) => (each["prefix"] ?? "") === prefix && (each["suffix"] ?? "") === suffix);
  if (!isAlike || (prefix !== "" && suffix !== "")) return undefined;
  const digits = amounts.map((each) => each["digits"]!);
  const forms = new Map<string, AmountForm>();
  for (const thousands of THOUSANDS) {
    for (const decimal of [".", ","] as const) {
      if (decimal === thousands || (stated.decimalComma && decimal === ".")) continue;
      const isStated = stated.decimalComma === true && thousands !== ".";
      const pattern = new RegExp(`^(?:${numberPattern({ thousands, decimal, isStated })})$`);
      if (!digits.every((each) => pattern.test(each))) continue;
      const isGrouped = digits.some((each) => new RegExp(SEPARATORS[thousands]).test(each));
      const hasFraction = digits.some((each) => each.includes(decimal));
      const kept = isGrouped ? thousands : "";
      // Where nothing shows it, a fraction is written as in plain numbers.
      const isShown = hasFraction || kept === "." || stated.decimalComma;
      const form = { prefix, suffix, thousands: kept, decimal: isShown ? decimal : ".", isStated } as const;
      forms.set(JSON.stringify({ ...form, isStated: false }), form);
    }
  }
  const [form, ...others] = forms.values();
  const isPlain = form?.thousands === "" && prefix + suffix === "";
  return others.length > 0 || isPlain ? undefined : form;
}

/** What a cell of this form matches, blanks around it aside: in JavaScript and in RE2. */
export function amountPattern(form: AmountForm): string {
  const before = form.prefix === "" ? "" : `${escaped(form.prefix)}${SPACE}?[+-]?`;
  const after = form.suffix === "" ? "" : `${SPACE}?${escaped(form.suffix)}`;
  return `[+-]?${before}(?:${numberPattern(form)})${after}`;
}

/** A cell as a plain number; cells of other forms as they are. */
export function plainAmount(cell: string, form: AmountForm): string {
  const bare = cell.trim();
  if (!new RegExp(`^${amountPattern(form)}$`).test(bare)) return cell;
  const digits = bare.replace(form.prefix, "").replace(form.suffix, "").replace(notDigits(form), "");
  return digits.replace(form.decimal, ".");
}

/** What is left out of an amount without its currency. */
export function notDigits({ decimal }: AmountForm): RegExp {
  return new RegExp(`[^0-9+${decimal}-]`, "g");
}

/** Without a sign. Three digits behind a point or comma, and at most three before it, could be a fraction or a thousand. */
function numberPattern({
  thousands,
  decimal,
  isStated,
}: Pick<AmountForm, "thousands" | "decimal" | "isStated">): string {
  const fraction = `[${decimal}][0-9]+`;
  const plain = isStated
    ? `[0-9]+(?:${fraction})?`
    : `[0-9]+|(?:0[0-9]*|[0-9]{4,})${fraction}|[0-9]{1,3}[${decimal}](?:[0-9]{1,2}|[0-9]{4,})`;
  if (thousands === "") return plain;
  const [first, next] = ["[1-9][0-9]{0,2}", `(?:${SEPARATORS[thousands]}[0-9]{3})`];
  const isClear = isStated || thousands === " " || thousands === "'";
  return `${plain}|${first}${next}+${fraction}|${first}${next}${isClear ? "+" : "{2,}"}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[$.]/g, "[$&]");
}
