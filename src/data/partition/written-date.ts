/** The grammar of dates that are not ISO, with or without a time of day; every engine and the first look read it. */
import { withoutBlanks } from "./written-number.ts";

const ORDERS = "dd-mm-yyyy mm-dd-yyyy yyyy-mm-dd dd-mm-yy mm-dd-yy yy-mm-dd dd-mmm-yyyy dd-mmm-yy".split(" ");

/** What `--time-format` takes for a date. */
export const DATE_PATTERNS: readonly string[] = [
  ...["/", "-", "."].flatMap((separator) => ORDERS.map((order) => order.replaceAll("-", separator))),
  "yyyymmdd",
];

export const MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";
/** Two digits from here on are years of the 1900s, those below of the 2000s, as in POSIX. */
export const FIRST_SHORT_YEAR = 69;

export type DatePart = "year" | "month" | "day" | "hour" | "minute" | "second" | "fraction" | "half";

export interface DateGrammar {
  /**
   * For text without blanks around it. Digits and groups only, so that JavaScript and all engines read it alike. Left to check are the
   * length of the month, and that hours with AM or PM lie between 1 and 12.
   */
  readonly regexp: string;
  /** What its groups hold; `half` is the first letter of AM or PM. From `hour` on they may be empty. */
  readonly groups: readonly DatePart[];
  readonly hasShortYear: boolean;
  readonly hasMonthName: boolean;
}

const NAMED = MONTHS.match(/.../g)!.map((name) =>
  [...name].map((letter) => `[${letter.toUpperCase()}${letter}]`).join(""),
);
const PARTS: Readonly<Record<string, readonly [DatePart, string]>> = {
  yyyy: ["year", "000[1-9]|00[1-9][0-9]|0[1-9][0-9][0-9]|[1-9][0-9][0-9][0-9]"],
  yy: ["year", "[0-9][0-9]"],
  mmm: ["month", NAMED.join("|")],
  mm: ["month", "0?[1-9]|1[0-2]"],
  dd: ["day", "0?[1-9]|[12][0-9]|3[01]"],
};
const TIME_OF_DAY =
  "([01]?[0-9]|2[0-3]):([0-5]?[0-9])(?::([0-5]?[0-9])(?:[.]([0-9]{1,9}))?)?(?: ?([AaPp])[.]?[Mm][.]?)?";

export function dateGrammar(pattern: string): DateGrammar {
  const groups: DatePart[] = [];
  const date = pattern.replace(/y+|m+|d+|[./-]/g, (token) => {
    const part = PARTS[token];
    if (part === undefined) return `[${token}]`;
    groups.push(part[0]);
    return `(${pattern === "yyyymmdd" ? part[1].replaceAll("0?", "0") : part[1]})`;
  });
  return {
    regexp: `${date}(?:(?:T| +)${TIME_OF_DAY})?`,
    groups: [...groups, "hour", "minute", "second", "fraction", "half"],
    hasShortYear: !pattern.includes("yyyy"),
    hasMonthName: pattern.includes("mmm"),
  };
}

const GRAMMARS = new Map(
  DATE_PATTERNS.map((pattern) => {
    const grammar = dateGrammar(pattern);
    return [pattern, { ...grammar, whole: new RegExp(`^${grammar.regexp}$`) }];
  }),
);

/** What the text says that clocks showed, as if in UTC, to the millisecond; undefined where it does not follow the pattern. */
export function writtenDate(text: string, pattern: string): Date | undefined {
  const { whole, groups, hasShortYear, hasMonthName } = GRAMMARS.get(pattern)!;
  const match = whole.exec(withoutBlanks(text));
  if (match === null) return undefined;
  const part = (name: DatePart): string => match[groups.indexOf(name) + 1] ?? "";
  const number = (name: DatePart): number => Number(part(name));
  const month = hasMonthName ? MONTHS.indexOf(part("month").toLowerCase()) / 3 : number("month") - 1;
  const century = hasShortYear ? (number("year") < FIRST_SHORT_YEAR ? 2000 : 1900) : 0;
  const half = part("half").toLowerCase();
  const hour = number("hour");
  const date = new Date(0);
  date.setUTCFullYear(century + number("year"), month, number("day"));
  if (date.getUTCDate() !== number("day") || (half !== "" && (hour < 1 || hour > 12))) return undefined;
  const milliseconds = Number(part("fraction").padEnd(3, "0").slice(0, 3));
  date.setUTCHours(
    half === "" ? hour : (hour % 12) + (half === "p" ? 12 : 0),
    number("minute"),
    number("second"),
    milliseconds,
  );
  return date;
}
