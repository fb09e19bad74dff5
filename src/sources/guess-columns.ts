/** Guesses what a file's columns are for, from their names and a few rows, to give a curator a first command. A guess decides nothing. */
import { isNoNumber, readCell } from "../partition/index.ts";
import { isBlank, looksLikeNumber, looksLikePoint, looksLikeTime } from "./cell-looks.ts";
import type { Sample, SourceDescription } from "./description.ts";
import { LARGE_ENOUGH_FOR_MS, timeGuess } from "./guess-times.ts";

export type ColumnType = "number" | "time" | "point" | "cell" | "text" | "empty";

export interface ColumnLook {
  readonly name: string;
  readonly type: ColumnType;
  /** A few different contents; null where the column may hold the protected value. */
  readonly samples: readonly string[] | null;
  readonly role: string | null;
}

/** Long flag names without dashes, in the order they are printed. */
export type Guess = Readonly<Record<string, string>>;

export interface FirstLook {
  readonly columns: readonly ColumnLook[];
  readonly guess: Guess;
  /** Flags that must be given and could not be guessed, with a sentence each. */
  readonly open: ReadonlyArray<{ readonly flag: string; readonly says: string }>;
  /** Guesses that deserve a second look, as sentences. */
  readonly doubts: readonly string[];
}

const SHOWN_SAMPLES = 3;

const PEOPLE =
  "user|customer|card|device|person|passenger|driver|phone|account|member|vehicle|bus|sensor|patient|client|rider";
const USER = [/(^|_)licen[cs]e(_|$)|(^|_)plate(_|$)/, new RegExp(`^(${PEOPLE})(_(id|no|number|key|name))?$`)];
/** Only for text: passenger_count and account_balance are about users but are none. */
const USER_IN_TEXT = new RegExp(PEOPLE);
const VALUE = [
  /speed|velocity/,
  /amount|price|spend|cost|fare|total|paid/,
  /value|level|reading|pm2|pm10|no2|ozone|temp|duration|score/,
];
const ID = /(^|_)(id|ids|number|key|code|zip|phone)$|_no$|^(year|month|day|hour)$/;
/** Of numbers, only what is called an id is sure to be none that was measured: an iq_code may be a score. */
const CALLED_ID = /(^|_)id$/;
const LATITUDE = /(^|_)lat(itude)?$/;
const LONGITUDE = /(^|_)(lon|lng|long|longitude)$/;
const CELL = /(^|_)(h3|hex|hexagon|cell)/;
const TIME = /time|date|timestamp|(^|_)ts$|observed|when/;
const EVENT = /trip|event|record|message|transaction|seq|journey|order/;
const PLACES =
  "shop|store|merchant|project|zone|area|grid|region|district|category|segment|department|city|route|line|site|station";
const GROUP = new RegExp(`(^|_)(${PLACES})(_|$)`);
/** line 9 is a group, line_total is none. */
const NUMBERED_GROUP = new RegExp(`^(${PLACES})(_(id|no|number|name|code))?$`);

/** What is known of a column from its name and the first rows. */
interface Column {
  readonly name: string;
  /** Lower case with underscores, `tripId` as `trip_id`. */
  readonly plain: string;
  readonly cells: readonly Sample[];
  readonly type: ColumnType;
  /** Whole numbers, or text. */
  readonly countable: boolean;
}

export function firstLook(description: SourceDescription): FirstLook {
  const { rows } = description;
  const columns = description.columns.map((name): Column => {
    const cells = rows.map((row) => row[name] ?? null);
    const plain = plainName(name);
    return { name, plain, cells, type: typeOf(cells, plain), countable: !cells.some((cell) => isFraction(cell)) };
  });
  const numbers = columns.filter(({ type }) => type === "number");
  const latitude = numbers.find(({ plain }) => LATITUDE.test(plain));
  const longitude = numbers.find(({ plain }) => LONGITUDE.test(plain));
  const placed = latitude !== undefined && longitude !== undefined;
  const point = placed ? undefined : columns.find(({ type }) => type === "point");
  const cell = placed || point !== undefined ? undefined : columns.find(({ type }) => type === "cell");
  const times = columns.filter(({ type }) => type === "time");
  const time = times.find(({ plain }) => TIME.test(plain)) ?? times[0];
  const rest = columns.filter((column) => ![latitude, longitude, point].includes(column) && !times.includes(column));
  const measured = rest.filter((column) => column.type === "number" && !isLabel(column) && !isUser(column));
  const value =
    firstNamed(measured, VALUE) ?? measured.find(({ countable }) => !countable) ?? measured.find(() => true);
  const ids = rest.filter(
    (column) => column !== value && column.countable && (column.type === "number" || column.type === "text"),
  );
  const user =
    firstNamed(ids, USER) ??
    ids.find(({ plain, type }) => type === "text" && USER_IN_TEXT.test(plain)) ??
    ids.find(({ plain }) => CALLED_ID.test(plain));
  const others = ids.filter((column) => column !== user && !measured.includes(column));
  const group =
    others.find(({ plain }) => GROUP.test(plain)) ??
    (time === undefined ? others.find(({ cells }) => repeats(cells)) : undefined);
  const isPlaced = placed || point !== undefined || cell !== undefined;
  const by = isPlaced ? undefined : group;

  const when = time === undefined ? undefined : timeGuess(time.cells);
  const guess: Record<string, string> = {};
  if (user !== undefined) guess["user"] = user.name;
  if (value !== undefined) guess["value"] = value.name;
  if (by !== undefined) guess["by"] = by.name;
  if (placed) Object.assign(guess, { lat: latitude.name, lon: longitude.name, h3: "8" });
  if (point !== undefined) Object.assign(guess, { point: point.name, h3: "8" });
  if (cell !== undefined) guess["cell"] = cell.name;
  if (time !== undefined) Object.assign(guess, { time: time.name, ...when!.flags });
  if (user?.cells.some((cell) => cell === null || cell === "")) guess["empty-user"] = "drop";
  if (time !== undefined && hasRepeatedRows(rows)) {
    const events = others.filter(({ plain }) => EVENT.test(plain));
    guess["dedupe"] = [...events, time].map(({ name }) => name).join(",");
  }
  if (value?.cells.some(lacksNumber)) guess["missing"] = "midpoint";
  if (isPlaced) guess["top"] = "50";

  const roles = new Map(
    Object.entries({ user, value, by, latitude, longitude, point, cell, time }).map(([role, column]) => [column, role]),
  );
  const isPublic = (column: Column): boolean =>
    [latitude, longitude, point, cell, time, user].includes(column) ||
    (column.type === "time" && !holdsNumbers(column)) ||
    (isLabel(column) && value !== undefined && (CALLED_ID.test(column.plain) || !holdsNumbers(column))) ||
    !mayBeValue(column);
  return {
    columns: columns.map((column) => ({
      name: column.name,
      type: column.type,
      samples: isPublic(column) ? distinctSamples(column.cells) : null,
      role: roles.get(column) ?? null,
    })),
    guess,
    open: [...openQuestions({ user, value, grid: by ?? point ?? cell ?? (placed ? latitude : undefined) ?? time })],
    doubts: when?.doubts ?? [],
  };
}

/** Names things rather than measuring them. */
function isLabel({ plain, countable, type }: Column): boolean {
  if (!countable || VALUE.some((pattern) => pattern.test(plain))) return false;
  return ID.test(plain) || (type === "number" ? NUMBERED_GROUP : GROUP).test(plain);
}

function isUser({ plain, countable }: Column): boolean {
  return countable && USER.some((pattern) => pattern.test(plain));
}

function firstNamed(columns: readonly Column[], patterns: readonly RegExp[]): Column | undefined {
  for (const pattern of patterns) {
    const found = columns.find(({ plain }) => pattern.test(plain));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whatever has a digit in it, and lists, which may hold anything. */
function mayBeValue({ cells, type }: Column): boolean {
  return (
    type === "number" || cells.some((cell) => (typeof cell === "object" ? cell !== null : /\d/.test(String(cell))))
  );
}

function holdsNumbers({ cells, type }: Column): boolean {
  return type === "number" || cells.some((cell) => !isBlank(cell) && looksLikeNumber(String(cell), true));
}

function plainName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_");
}

function typeOf(cells: readonly Sample[], name: string): ColumnType {
  const filled = cells.filter((cell) => !isBlank(cell));
  if (filled.length === 0) return "empty";
  if (filled.every((cell) => isPlace(cell))) return "point";
  if (filled.every((cell) => isStoredCell(cell, name))) return "cell";
  const numbers = filled.filter((cell) => !lacksNumber(cell));
  if (numbers.length > 0 && numbers.every((cell) => looksLikeNumber(String(cell), true)))
    return isEpoch(filled, name) ? "time" : "number";
  return filled.every((cell) => looksLikeTime(String(cell))) ? "time" : "text";
}

/** [longitude, latitude]; any other pair of numbers may be values. */
function isPlace(cell: Sample): boolean {
  const pair: unknown = typeof cell === "string" && looksLikePoint(cell) ? JSON.parse(cell) : cell;
  if (!Array.isArray(pair) || pair.length !== 2) return false;
  return Math.abs(Number(pair[0])) <= 180 && Math.abs(Number(pair[1])) <= 90;
}

/** An H3 cell. A number of that size has lost its last digits on the way here, so that it takes the column's name to tell. */
function isStoredCell(cell: Sample, name: string): boolean {
  if (typeof cell === "number") return CELL.test(name) && cell >= 2 ** 59 && cell < 9 * 2 ** 56;
  return typeof cell === "string" && readCell(cell) !== undefined;
}

/** Seconds or milliseconds since 1970, between 1990 and 2100, in a column whose name speaks of time. */
function isEpoch(cells: readonly Sample[], name: string): boolean {
  if (!TIME.test(name)) return false;
  return cells.every((cell) => {
    const number = Number(cell);
    const seconds = number >= LARGE_ENOUGH_FOR_MS ? number / 1000 : number;
    return seconds > 631_152_000 && seconds < 4_102_444_800;
  });
}

function isFraction(cell: Sample): boolean {
  return typeof cell !== "object" && /^[^\w]*\d+[.,]\d+/.test(String(cell).trim());
}

function repeats(cells: readonly Sample[]): boolean {
  const filled = cells.filter((cell) => !isBlank(cell));
  return new Set(filled.map(String)).size < filled.length;
}

function lacksNumber(cell: Sample | undefined): boolean {
  return isBlank(cell) || (typeof cell !== "object" && isNoNumber(String(cell)));
}

function hasRepeatedRows(rows: SourceDescription["rows"]): boolean {
  return new Set(rows.map((row) => JSON.stringify(row))).size < rows.length;
}

function distinctSamples(cells: readonly Sample[]): string[] {
  const texts = cells
    .filter((cell) => !isBlank(cell))
    .map((cell) => (Array.isArray(cell) ? JSON.stringify(cell) : String(cell)));
  return [...new Set(texts)].slice(0, SHOWN_SAMPLES);
}

function openQuestions(found: { user: unknown; value: unknown; grid: unknown }): FirstLook["open"] {
  return [
    {
      flag: "user",
      known: found.user,
      says: "No column looks like a user; say whose records these are with --user COL.",
    },
    {
      flag: "value",
      known: found.value,
      says: "No column looks like a value; say which numbers are wanted with --value COL.",
    },
    {
      flag: "by",
      known: found.grid,
      says: "Nothing looks like a place, a time or a group; say what a grid is with --by COL.",
    },
  ]
    .filter(({ known }) => known === undefined)
    .map(({ flag, says }) => ({ flag, says }));
}
