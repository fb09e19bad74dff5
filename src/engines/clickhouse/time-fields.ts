/** Times as expressions: microseconds that a clock showed or of an instant, read strictly in the recipe's format. */
import { quoteForMessage, VeilgridError } from "../../errors/index.ts";
import type { TimeFormat } from "../../partition/index.ts";
import { EARLIEST, END_OF_TIMES } from "../row-checks.ts";
import { isFilled, type TableFields, wholeMatch } from "./fields-sql.ts";
import { allOf, anyOf, bound, not, signed, text } from "./sql-text.ts";

export interface TimeField {
  /** Microseconds since 1970 of what the clock showed, or of the instant where an offset was written. */
  readonly clock: string;
  readonly hasOffset: "always" | "never" | { readonly sql: string };
  readonly absent: string;
  /** Something is there, and it is no time. */
  readonly wrong: string;
}

const SECOND = 1_000_000n;
const DAY = 86_400n * SECOND;

export function timeField(fields: TableFields, column: string, format: TimeFormat): TimeField {
  const { is } = fields.type(column);
  const absent = fields.isNull(column) ?? "0";
  const present = fields.present(column);
  switch (is.kind) {
    case "date":
      return { clock: `(toInt64(${present}) * ${DAY})`, hasOffset: "never", absent, wrong: "0" };
    case "instant":
      return { clock: microseconds(present, is.digits), hasOffset: "always", absent, wrong: "0" };
    case "integer":
      if (format === "epoch-s" || format === "epoch-ms") {
        const scale = format === "epoch-s" ? SECOND : 1000n;
        // Beyond these a product of 64 bits would wrap around.
        const isBeyond = is.signed
          ? `(${present} < ${EARLIEST / scale} OR ${present} >= ${END_OF_TIMES / scale})`
          : `(${present} >= ${END_OF_TIMES / scale})`;
        return {
          clock: `(if(${isBeyond}, toInt64(0), toInt64(${present})) * ${scale})`,
          hasOffset: "always",
          absent,
          wrong: isBeyond,
        };
      }
      return writtenTime(fields, fields.text(column), format);
    case "text":
      return writtenTime(fields, fields.text(column), format);
    default:
      throw new VeilgridError(
        "ENGINE_UNSUPPORTED",
        `column ${quoteForMessage(column)} (--time) is of a type that is not read here: times are DateTime, DateTime64, Date, text, or integers with --time-format epoch-s or epoch-ms; give a view with such a column`,
      );
  }
}

/** Finer digits are cut off, downwards. */
function microseconds(column: string, digits: number): string {
  if (digits === 0) return `(toInt64(toUnixTimestamp(${column})) * ${SECOND})`;
  if (digits <= 6) return `toUnixTimestamp64Micro(${column})`;
  const lift = 2n ** 62n - (2n ** 62n % 1000n);
  return `(intDiv(toUnixTimestamp64Nano(${column}) + ${lift}, 1000) - ${lift / 1000n})`;
}

function isBeyondYears(clock: string): string {
  return `(${clock} < ${signed(EARLIEST)} OR ${clock} >= ${signed(END_OF_TIMES)})`;
}

function writtenTime(fields: TableFields, written: string, format: TimeFormat): TimeField {
  if (format === "epoch-s") return writtenEpoch(fields, written, 6);
  if (format === "epoch-ms") return writtenEpoch(fields, written, 3);
  return format.startsWith("date:") ? writtenDate(fields, written, format.slice(5)) : writtenIso(fields, written);
}

/** `places` digits after the point are whole microseconds; what follows them is cut off, downwards. */
function writtenEpoch(fields: TableFields, written: string, places: number): TimeField {
  const digits = fields.writtenNumber(written, "time");
  const { isNegative, significant, power } = fields.decimalParts(digits, "time");
  // So many digits of it are whole microseconds, and of 18 there may be: of more, 64 bits might wrap around.
  const wholeDigits = fields.define("time_whole", `(toInt32(length(${significant})) + ${power} + ${places})`);
  const taken = `toUInt32(greatest(least(${wholeDigits}, 18), 0))`;
  const size = `toInt64OrZero(substring(concat(${significant}, '${"0".repeat(18)}'), 1, ${taken}))`;
  const isCut = `match(substring(${significant}, ${taken} + 1), '[1-9]')`;
  const clock = fields.define("clock", `toInt64(if(${isNegative}, -${size} - ${isCut}, ${size}))`);
  const isLong = `(${significant} != '' AND ${wholeDigits} > 18)`;
  return {
    clock,
    hasOffset: "always",
    absent: not(isFilled(written)),
    wrong: anyOf([noMatch(written, digits), `(${digits} != '' AND ${anyOf([isLong, isBeyondYears(clock)])})`]),
  };
}

const TIME_OF_DAY = "[0-9]{1,2}:[0-9]{1,2}(?::[0-9]{1,2}(?:\\.[0-9]{1,6})?)?";

/** A date in an order of its own; a time of day may follow it. */
function writtenDate(fields: TableFields, written: string, pattern: string): TimeField {
  const separator = /[./-]/.exec(pattern)![0];
  const digitsOf: Readonly<Record<string, string>> = { dd: "[0-9]{1,2}", mm: "[0-9]{1,2}", yyyy: "[0-9]{4}" };
  const between = `\\${separator}`;
  const parts = pattern.split(separator);
  const date = parts.map((part) => digitsOf[part]!).join(between);
  const matched = fields.define("time", wholeMatch(written, `${date}(?:[T ]${TIME_OF_DAY})?`));
  const part = (name: string): string => {
    const grouped = parts.map((each) => (each === name ? `(${digitsOf[each]})` : digitsOf[each]!)).join(between);
    return whole(`extract(${matched}, ${text(`^${grouped}`)})`);
  };
  const hour = `extract(${matched}, ${text("[T ]([0-9]{1,2}):")})`;
  const minute = `extract(${matched}, ${text("[T ][0-9]{1,2}:([0-9]{1,2})")})`;
  const second = `extract(${matched}, ${text("[T ][0-9]{1,2}:[0-9]{1,2}:([0-9]{1,2})")})`;
  const fraction = `extract(${matched}, ${text(":[0-9]{1,2}\\.([0-9]+)$")})`;
  return dateAndTime(fields, written, {
    year: part("yyyy"),
    month: part("mm"),
    day: part("dd"),
    hour: whole(hour),
    minute: whole(minute),
    second: whole(second),
    fraction,
    offset: undefined,
  });
}

/** Everything at its place: 2016-12-16, 2016-12-16T09:30, 2016-12-16 09:30:00.123456+05:30. */
function writtenIso(fields: TableFields, written: string): TimeField {
  const time = "[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\\.[0-9]{1,9})?)?";
  const offset = "Z|UTC|[+-][0-9]{2}(?::?[0-9]{2})?";
  const matched = fields.define(
    "time",
    wholeMatch(written, `[0-9]{4}-[0-9]{2}-[0-9]{2}(?:${time})?(?: ?(?:${offset}))?`),
  );
  const at = (from: number, length: number): string => whole(`substring(${matched}, ${from}, ${length})`);
  const tail = fields.define("time_tail", `substring(${matched}, 11)`);
  return dateAndTime(fields, written, {
    year: at(1, 4),
    month: at(6, 2),
    day: at(9, 2),
    hour: whole(`extract(${tail}, ${text("^[T ]([0-9]{2}):")})`),
    minute: whole(`extract(${tail}, ${text("^[T ][0-9]{2}:([0-9]{2})")})`),
    second: whole(`extract(${tail}, ${text("^[T ][0-9]{2}:[0-9]{2}:([0-9]{2})")})`),
    fraction: `extract(${tail}, ${text("\\.([0-9]+)")})`,
    offset: `extract(${tail}, ${text(`(${offset})$`)})`,
  });
}

/** Digits as a number, 0 where there are none. */
function whole(digits: string): string {
  return `toInt64(toUInt32OrZero(${digits}))`;
}

interface WrittenParts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
  readonly fraction: string;
  /** Empty where none was written; undefined where none can be. */
  readonly offset: string | undefined;
}

/** Before every time: what is read of a text that is none. */
const NO_READING = -(2n ** 62n);

function dateAndTime(fields: TableFields, written: string, parts: WrittenParts): TimeField {
  const [year, month, day, hour, minute, second] = ["year", "month", "day", "hour", "minute", "second"] as const;
  const own = (part: string): string => fields.own(part);
  const offset = parts.offset === undefined ? undefined : fields.define("offset", parts.offset);
  const ofDay = `((${own(hour)} * 60 + ${own(minute)}) * 60 + ${own(second)})`;
  const reading = `(${daysOf(own(year), own(month), own(day))} * 86400 + ${ofDay}) * ${SECOND}`;
  const isLeap = `(${own(year)} % 4 = 0 AND (${own(year)} % 100 != 0 OR ${own(year)} % 400 = 0))`;
  const days = `transform(${own(month)}, [2, 4, 6, 9, 11], [28, 30, 30, 30, 30], 31)`;
  // Where nothing matches, everything is 0, and no year is.
  const isNone = anyOf([
    `${own(year)} < 1`,
    `${own(month)} < 1`,
    `${own(month)} > 12`,
    `${own(day)} < 1`,
    `${own(day)} > ${days} + (${own(month)} = 2 AND ${isLeap})`,
    `${own(hour)} > 23`,
    `${own(minute)} > 59`,
    `${own(second)} > 59`,
  ]);
  const rest = [
    `toInt64(toUInt32OrZero(substring(concat(${parts.fraction}, '000000'), 1, 6)))`,
    ...(offset === undefined ? [] : [`toInt64(${offsetMinutes(offset)}) * ${60n * SECOND}`]),
  ].join(" - ");
  const clock = fields.define(
    "clock",
    bound(
      [
        ...([year, month, day, hour, minute, second] as const).map((part) => [own(part), parts[part]] as const),
        [own("rest"), rest],
      ],
      `if(${isNone}, ${signed(NO_READING)}, toInt64(${reading} + ${own("rest")}))`,
    ),
  );
  return {
    clock,
    hasOffset: offset === undefined ? "never" : { sql: `(${offset} != '')` },
    absent: not(isFilled(written)),
    wrong: allOf([isFilled(written), isBeyondYears(clock)]),
  };
}

/** `+05:30`, `-0600`, `-06`; 0 for `Z`, `UTC` and nothing. */
function offsetMinutes(offset: string): string {
  const hours = whole(`substring(${offset}, 2, 2)`);
  const minutes = whole(`extract(${offset}, ${text("^.[0-9]{2}:?([0-9]{2})$")})`);
  return `multiIf(startsWith(${offset}, '+'), 1, startsWith(${offset}, '-'), -1, 0) * (${hours} * 60 + ${minutes})`;
}

function noMatch(written: string, matched: string): string {
  return `(${isFilled(written)} AND ${matched} = '')`;
}

/** Days since 1970 of a date of the Gregorian calendar, by years that begin in March. */
function daysOf(year: string, month: string, day: string): string {
  const years = `(${year} - (${month} <= 2))`;
  const months = `(${month} + if(${month} <= 2, 9, -3))`;
  const leaps = `intDiv(${years}, 4) - intDiv(${years}, 100) + intDiv(${years}, 400)`;
  return `(${years} * 365 + ${leaps} + intDiv(153 * ${months} + 2, 5) + ${day} - 719469)`;
}
