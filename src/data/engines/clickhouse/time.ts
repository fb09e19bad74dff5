/** A record's instant, slot and time filters as ClickHouse expressions, in microseconds; written times are read strictly. */
import { quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import {
  CLOCK,
  type DatePart,
  dateGrammar,
  epochUnit,
  FIRST_SHORT_YEAR,
  HAS_OFFSET,
  INSTANT,
  instantExpression,
  LOCAL,
  localExpression,
  MONTHS,
  type RecordTime,
  slotStartExpression,
  type TimeZone,
  timeFilter,
} from "../../partition/index.ts";
import { NO_TIME } from "../pipeline/formulas.ts";
import { END_OF_TIMES, earliestTime } from "../pipeline/row-checks.ts";
import { allOf, anyOf, argument, bound, choose, type Names, not, printerWith, signed, text } from "./dialect.ts";
import { isFilled, type RecordsQuery, type TableFields, wholeMatch } from "./fields.ts";

export function timeSql({ recipe, table, clocks }: RecordsQuery, fields: TableFields) {
  const { time } = recipe;
  if (time === null)
    return { instant: signed(NO_TIME), slot: undefined, clock: undefined, absent: "1", passes: "1", wrong: "0" };
  const { names } = table;
  const zone = clocks === undefined ? time.zone : zoneBetween(time.zone, clocks);
  const field = timeField(fields, time);
  const clock = fields.define("clock", field.clock);
  const absent = fields.define("timeless", field.absent);
  const printer = printerWith(names);
  // Never a name alone: old servers do not find what has two names on shards.
  const instant = fields.define(
    "instant",
    choose(absent, signed(NO_TIME), `toInt64(${instantSql(zone, { ...field, clock }, names)})`),
  );
  const filter = timeFilter({ ...time, zone });
  const atInstant = [argument(names, INSTANT), instant] as const;
  const local = bound([atInstant], printer.expression(localExpression(zone)));
  // Never by a name: an old server takes WHERE apart at its ANDs, and fails on one that it finds behind a name.
  const passes =
    filter === undefined
      ? "1"
      : allOf([
          not(absent),
          bound(
            [atInstant, ...(time.hours === null ? [] : [[argument(names, LOCAL), local] as const])],
            printer.condition(filter),
          ),
        ]);
  return {
    instant,
    clock,
    absent,
    slot:
      time.slot === null
        ? undefined
        : choose(absent, signed(NO_TIME), bound([atInstant], printer.expression(slotStartExpression(time.slot, zone)))),
    passes,
    wrong: anyOf([
      field.wrong,
      // Records that came meanwhile may need more of the zone than was asked for.
      ...(clocks === undefined
        ? []
        : [allOf([not(absent), `(${clock} < ${signed(clocks.from)} OR ${clock} > ${signed(clocks.to)})`])]),
    ]),
  };
}

function instantSql(
  zone: TimeZone,
  { clock, hasOffset }: Pick<TimeField, "clock" | "hasOffset">,
  names: Names,
): string {
  const expression = instantExpression(zone);
  if (hasOffset === "1" || expression.kind === "field") return clock;
  const { expression: print } = printerWith(names);
  const reading = [argument(names, CLOCK), clock] as const;
  return hasOffset === "0"
    ? bound([reading], print(expression.kind === "choice" ? expression.otherwise : expression))
    : bound([reading, [argument(names, HAS_OFFSET), hasOffset]], print(expression));
}

/** Below this, asking for the first and last time costs more than it saves. */
export const FEW_TRANSITIONS = 8;
/** Longer than the longest slot and the largest offset together. */
const MARGIN = 16n * 86_400_000_000n;

/** The same zone for every clock reading and instant between two, and for the slots they lie in. */
export function zoneBetween(zone: TimeZone, { from, to }: { from: bigint; to: bigint }): TimeZone {
  const before = zone.transitions.filter(({ at }) => at < from - MARGIN);
  const transitions = zone.transitions.filter(({ at }) => at >= from - MARGIN && at <= to + MARGIN);
  return { ...zone, firstOffset: before.at(-1)?.offset ?? zone.firstOffset, transitions };
}

interface TimeField {
  /** Microseconds since 1970 of what the clock showed, or of the instant where an offset was written. */
  readonly clock: string;
  /** Known beforehand but for texts. */
  readonly hasOffset: string;
  readonly absent: string;
  /** Something is there, and it is no time. */
  readonly wrong: string;
}

const SECOND = 1_000_000n;
const DAY = 86_400n * SECOND;

function timeField(fields: TableFields, time: RecordTime): TimeField {
  const { column, format } = time;
  const earliest = earliestTime(time);
  const unit = epochUnit(format);
  const { is } = fields.type(column);
  const absent = fields.isNull(column) ?? "0";
  const present = fields.present(column);
  if (is.kind === "date") return { clock: `(toInt64(${present}) * ${DAY})`, hasOffset: "0", absent, wrong: "0" };
  if (is.kind === "instant") return { clock: microseconds(present, is.digits), hasOffset: "1", absent, wrong: "0" };
  if (is.kind === "integer" && unit !== undefined) {
    const scale = BigInt(unit);
    // Beyond these a product of 64 bits would wrap around.
    const isBeyond = is.signed
      ? `(${present} < ${earliest / scale} OR ${present} >= ${END_OF_TIMES / scale})`
      : `(${present} >= ${END_OF_TIMES / scale})`;
    const clock = `(if(${isBeyond}, toInt64(0), toInt64(${present})) * ${scale})`;
    return { clock, hasOffset: "1", absent, wrong: isBeyond };
  }
  if (is.kind !== "integer" && is.kind !== "text")
    throw new VeilgridError(
      "ENGINE_UNSUPPORTED",
      `column ${quoteForMessage(column)} (--time) is of a type that is not read here: times are DateTime, DateTime64, Date, text, or integers with --time-format epoch-s, epoch-ms or epoch-us; give a view with such a column`,
    );
  const written = fields.text(column);
  if (unit !== undefined) return writtenEpoch(fields, written, { places: Math.log10(unit), earliest });
  const parts = format.startsWith("date:") ? dateParts(fields, written, format.slice(5)) : isoParts(fields, written);
  return dateAndTime(fields, written, { parts, earliest });
}

/** Finer digits are cut off, downwards. */
function microseconds(column: string, digits: number): string {
  if (digits === 0) return `(toInt64(toUnixTimestamp(${column})) * ${SECOND})`;
  if (digits <= 6) return `toUnixTimestamp64Micro(${column})`;
  const lift = 2n ** 62n - (2n ** 62n % 1000n);
  return `(intDiv(toUnixTimestamp64Nano(${column}) + ${lift}, 1000) - ${lift / 1000n})`;
}

function isBeyondYears(clock: string, earliest: bigint): string {
  return `(${clock} < ${signed(earliest)} OR ${clock} >= ${signed(END_OF_TIMES)})`;
}

/** `places` digits after the point are whole microseconds; what follows them is cut off, downwards. */
function writtenEpoch(
  fields: TableFields,
  written: string,
  { places, earliest }: { places: number; earliest: bigint },
): TimeField {
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
    hasOffset: "1",
    absent: not(isFilled(written)),
    wrong: anyOf([
      `(${isFilled(written)} AND ${digits} = '')`,
      `(${digits} != '' AND ${anyOf([isLong, isBeyondYears(clock, earliest)])})`,
    ]),
  };
}

/** A date in an order of its own; a time of day may follow it. */
function dateParts(fields: TableFields, written: string, pattern: string): WrittenParts {
  const { regexp, groups, hasShortYear, hasMonthName } = dateGrammar(pattern);
  const matched = fields.define("time", wholeMatch(written, regexp.replace(/\((?!\?)/g, "(?:")));
  // Old servers give one group only, the first.
  const part = (name: DatePart): string => {
    let group = 0;
    const only = regexp.replace(/\((?!\?)/g, () => (groups[group++] === name ? "(" : "(?:"));
    return `extract(${matched}, ${text(`^${only}$`)})`;
  };
  const year = whole(part("year"));
  const month = part("month");
  const hour = whole(part("hour"));
  const half = fields.define("time_half", `lower(${part("half")})`);
  return {
    year: hasShortYear ? `${year} + if(${year} < ${FIRST_SHORT_YEAR}, 2000, 1900)` : year,
    month: hasMonthName ? `toInt64(intDiv(position('${MONTHS}', lower(${month})) + 2, 3))` : whole(month),
    day: whole(part("day")),
    // 24 is no hour.
    hour: `multiIf(${half} = '', ${hour}, ${hour} < 1 OR ${hour} > 12, toInt64(24), ${hour} % 12 + if(${half} = 'p', 12, 0))`,
    minute: whole(part("minute")),
    second: whole(part("second")),
    fraction: part("fraction"),
    offset: undefined,
  };
}

/** Everything at its place: 2016-12-16, 2016-12-16T09:30, 2016-12-16 09:30:00.123456+05:30. */
function isoParts(fields: TableFields, written: string): WrittenParts {
  const time = "[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\\.[0-9]{1,9})?)?";
  const offset = "Z|UTC|[+-][0-9]{2}(?::?[0-9]{2})?";
  const matched = fields.define(
    "time",
    wholeMatch(written, `[0-9]{4}-[0-9]{2}-[0-9]{2}(?:${time})?(?: ?(?:${offset}))?`),
  );
  const at = (from: number, length: number): string => whole(`substring(${matched}, ${from}, ${length})`);
  const tail = fields.define("time_tail", `substring(${matched}, 11)`);
  return {
    year: at(1, 4),
    month: at(6, 2),
    day: at(9, 2),
    hour: whole(`extract(${tail}, ${text("^[T ]([0-9]{2}):")})`),
    minute: whole(`extract(${tail}, ${text("^[T ][0-9]{2}:([0-9]{2})")})`),
    second: whole(`extract(${tail}, ${text("^[T ][0-9]{2}:[0-9]{2}:([0-9]{2})")})`),
    fraction: `extract(${tail}, ${text("\\.([0-9]+)")})`,
    offset: `extract(${tail}, ${text(`(${offset})$`)})`,
  };
}

/** Digits as a number, 0 where there are none. */
function whole(digits: string): string {
  return `toInt64(toUInt32OrZero(${digits}))`;
}

const PARTS = ["year", "month", "day", "hour", "minute", "second"] as const;

interface WrittenParts extends Readonly<Record<(typeof PARTS)[number] | "fraction", string>> {
  /** Empty where none was written; undefined where none can be. */
  readonly offset: string | undefined;
}

/** Before every time: what is read of a text that is none. */
const NO_READING = -(2n ** 62n);

function dateAndTime(
  fields: TableFields,
  written: string,
  { parts, earliest }: { parts: WrittenParts; earliest: bigint },
): TimeField {
  const [year, month, day, hour, minute, second] = PARTS.map((part) => fields.own(part)) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const offset = parts.offset === undefined ? undefined : fields.define("offset", parts.offset);
  const ofDay = `((${hour} * 60 + ${minute}) * 60 + ${second})`;
  const reading = `(${daysOf(year, month, day)} * 86400 + ${ofDay}) * ${SECOND}`;
  const isLeap = `(${year} % 4 = 0 AND (${year} % 100 != 0 OR ${year} % 400 = 0))`;
  const days = `transform(${month}, [2, 4, 6, 9, 11], [28, 30, 30, 30, 30], 31)`;
  // Where nothing matches, everything is 0, and no year is.
  const isNone = anyOf([
    `${year} < 1`,
    `${month} < 1`,
    `${month} > 12`,
    `${day} < 1`,
    `${day} > ${days} + (${month} = 2 AND ${isLeap})`,
    `${hour} > 23`,
    `${minute} > 59`,
    `${second} > 59`,
  ]);
  const rest = [
    `toInt64(toUInt32OrZero(substring(concat(${parts.fraction}, '000000'), 1, 6)))`,
    ...(offset === undefined ? [] : [`toInt64(${offsetMinutes(offset)}) * ${60n * SECOND}`]),
  ].join(" - ");
  const clock = fields.define(
    "clock",
    bound(
      [...PARTS.map((part) => [fields.own(part), parts[part]] as const), [fields.own("rest"), rest]],
      `if(${isNone}, ${signed(NO_READING)}, toInt64(${reading} + ${fields.own("rest")}))`,
    ),
  );
  return {
    clock,
    hasOffset: offset === undefined ? "0" : `(${offset} != '')`,
    absent: not(isFilled(written)),
    wrong: allOf([isFilled(written), isBeyondYears(clock, earliest)]),
  };
}

/** `+05:30`, `-0600`, `-06`; 0 for `Z`, `UTC` and nothing. */
function offsetMinutes(offset: string): string {
  const hours = whole(`substring(${offset}, 2, 2)`);
  const minutes = whole(`extract(${offset}, ${text("^.[0-9]{2}:?([0-9]{2})$")})`);
  return `multiIf(startsWith(${offset}, '+'), 1, startsWith(${offset}, '-'), -1, 0) * (${hours} * 60 + ${minutes})`;
}

/** Days since 1970 of a date of the Gregorian calendar, by years that begin in March. */
function daysOf(year: string, month: string, day: string): string {
  const years = `(${year} - (${month} <= 2))`;
  const months = `(${month} + if(${month} <= 2, 9, -3))`;
  const leaps = `intDiv(${years}, 4) - intDiv(${years}, 100) + intDiv(${years}, 400)`;
  return `(${years} * 365 + ${leaps} + intDiv(153 * ${months} + 2, 5) + ${day} - 719469)`;
}
