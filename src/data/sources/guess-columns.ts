/** Guesses what a file's columns are for, from their names and a few rows, to give a curator a first command. A guess decides nothing. */

import { isBlank, type Sample } from "./cell-patterns.ts";
import {
  byRank,
  type Column,
  type ColumnType,
  columnFacts,
  holdsNumbers,
  isConstant,
  lacksNumber,
  mayBeValue,
  namesOf,
} from "./column-facts.ts";
import {
  groupRankOf,
  isCoordinateName,
  isEventName,
  isGroupId,
  isMeasureName,
  isOtherDate,
  isTimeName,
  userKindOf,
  valueRankOf,
} from "./column-words.ts";
import type { SourceDescription } from "./description.ts";
import { applicable, type Finding } from "./finding.ts";
import { guessPlace } from "./guess-places.ts";
import { guessRepeats } from "./guess-repeats.ts";
import { timeGuess } from "./guess-times.ts";
import { guessUser } from "./guess-user.ts";

export interface ColumnLook {
  readonly name: string;
  readonly type: ColumnType;
  /** A few different contents; null where the column may hold the protected value. */
  readonly samples: readonly string[] | null;
  readonly role: string | null;
}

/** Long flag names without dashes, in the order they are printed. */
export type Guess = Required<Finding>["flags"];

export interface FirstLook extends Pick<Required<Finding>, "open" | "doubts"> {
  readonly columns: readonly ColumnLook[];
  readonly guess: Guess;
}

/** In the order they are printed. */
const FLAGS = [
  ...["user", "value", "by", "lat", "lon", "point", "cell", "h3", "time", "time-format", "tz", "slot"],
  ...["empty-user", "dedupe", "missing", "top"],
];
const SHOWN_SAMPLES = 3;
const FEW_GROUPS = 20;

const ID = /(^|_)(id|ids|number|nr|num|numero|nummer|key|code|zip|phone)$|_no$|^(year|month|day|hour|weekday)$/;
/** Of numbers, only what is called an id is sure to be none that was measured: an iq_code may be a score. */
const CALLED_ID = /(^|_)id$/;

export function firstLook(description: SourceDescription): FirstLook {
  const columns = columnFacts(description);
  const places = guessPlace(columns);
  const { latitude, longitude, point, cell, coordinates } = places;
  const times = columns.filter(({ type, plain }) => type === "time" && !isOtherDate(plain));
  const time = times.find(({ plain }) => isTimeName(plain)) ?? times[0];
  const rest = columns.filter((column) => ![...coordinates, ...times, point, cell].includes(column));
  const measured = rest.filter(mayBeMeasured);
  const values = guessValue(measured);
  const { value } = values;
  const ids = rest.filter((column) => column !== value && !column.isAmount && isCountableText(column));
  const users = guessUser(ids, description.isComplete);
  const { user } = users;
  const isPlaced = [latitude, point, cell].some((column) => column !== undefined) || places.open !== undefined;
  const by = guessGroups(
    ids.filter((column) => column !== user && !measured.includes(column) && !isConstant(column) && isListable(column)),
    { isPlaced, hasTime: time !== undefined },
  );
  // Where no column has a name, any of them may be the group, and nothing speaks for slots of time.
  const slots = (by.length === 0 && ids.every(({ isNamed }) => isNamed)) || isPlaced ? time : undefined;
  const found: readonly Finding[] = [
    users,
    values,
    { flags: groupFlags(by, isPlaced) },
    by.length > 0 || isPlaced || slots !== undefined ? places : { ...places, open: NO_GROUP },
    ...(slots === undefined ? [] : [timeGuess(slots)]),
    guessRepeats({ all: columns.filter(isListable), user, hidden: value === undefined ? measured : [value], time }),
  ];
  const flags: Record<string, string> = Object.assign({}, ...found.map((each) => each.flags));
  const byRole = Object.entries({ user, value, latitude, longitude, point, cell, time: slots });
  const roleOf = (column: Column): string | undefined =>
    by.includes(column) ? "by" : byRole.findLast(([, each]) => each === column)?.[0];
  const isPublic = (column: Column): boolean =>
    (coordinates.includes(column) && isCoordinateName(column.plain)) ||
    [point, cell, time, user].includes(column) ||
    (column.type === "time" && !holdsNumbers(column)) ||
    (isLabel(column) && value !== undefined && (CALLED_ID.test(column.plain) || !holdsNumbers(column))) ||
    !mayBeValue(column);
  return {
    columns: columns.map((column) => ({
      name: column.name,
      type: column.type,
      samples: isPublic(column) ? distinctSamples(column.cells) : null,
      role: roleOf(column) ?? null,
    })),
    guess: Object.fromEntries(FLAGS.flatMap((flag) => (flags[flag] === undefined ? [] : [[flag, flags[flag]]]))),
    open: found.flatMap(({ open = [] }) => open),
    doubts: found.flatMap(({ doubts = [] }) => doubts),
  };
}

const NO_GROUP = [
  {
    flag: "by",
    says: "No column is sure to be a group; say what a grid is with --by COL, or with --time COL --slot 1d.",
  },
];

/** A number, or an amount in text, that names nothing. */
function mayBeMeasured(column: Column): boolean {
  if (column.type !== "number" && !column.isAmount) return false;
  if (isLabel(column)) return false;
  return !column.isCountable || (userKindOf(column.plain, false) === undefined && !isIdOfEvent(column));
}

function isIdOfEvent({ plain }: Column): boolean {
  return isEventName(plain) && valueRankOf(plain) === undefined;
}

/** By its name, else a number with decimals: whole numbers of which no name says what they are may as well be ids, codes or counts. */
function guessValue(measured: readonly Column[]): Finding & { readonly value: Column | undefined } {
  const fractions = measured.filter(({ isCountable }) => !isCountable);
  const isSure = measured.every(({ isNamed }) => isNamed) || fractions.length === 1;
  const value = byRank(measured, ({ plain }) => valueRankOf(plain))[0] ?? (isSure ? fractions[0] : undefined);
  if (value !== undefined) {
    const missing = value.cells.some(lacksNumber) ? { missing: "midpoint" } : {};
    return { value, flags: { value: value.name, ...missing }, doubts: valueDoubts(value) };
  }
  const hint = measured.length === 0 ? "" : ` It could be ${namesOf(measured)}.`;
  const says = `No column is sure to be the value; say which numbers are wanted with --value COL.${hint}`;
  return { value, open: [{ flag: "value", says }] };
}

function valueDoubts({ name, plain, cells, isAmount, filled }: Column): string[] {
  const isThousand = (cell: Sample): boolean => isBlank(cell) || /^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(String(cell).trim());
  return applicable(
    [
      isAmount,
      `How the numbers in '${name}' are written cannot be told from the first rows: write them as 1234.5 for --value, or add --decimal-comma if a comma stands before decimals.`,
    ],
    [
      filled > 0 && cells.every(isThousand),
      `Every number in '${name}' has three digits behind its point and is read as a fraction: if the points set off thousands, write the numbers without them for --value.`,
    ],
    [
      valueRankOf(plain) === undefined,
      `'${name}' is taken for the value because it is a number; if another is wanted, change --value.`,
    ],
  );
}

/** Few and large groups first: one column, and beside it the one that says what was measured, where there are several measures. */
function guessGroups(
  others: readonly Column[],
  { isPlaced, hasTime }: { readonly isPlaced: boolean; readonly hasTime: boolean },
): Column[] {
  const measures = others.filter((column) => isMeasureName(column.plain) && column.different > 1);
  if (isPlaced) return measures;
  const [named] = byRank(others, (column) =>
    isIdOfEvent(column) || valueRankOf(column.plain) !== undefined || measures.includes(column)
      ? undefined
      : groupRankOf(column.plain),
  );
  const repeating = hasTime
    ? undefined
    : others.find((column) => column.different < column.filled && !isIdOfEvent(column) && column.isNamed);
  return [...new Set([named ?? repeating ?? [], measures].flat())];
}

function groupFlags(by: readonly Column[], isPlaced: boolean): Guess {
  return {
    ...(by.length === 0 ? {} : { by: by.map(({ name }) => name).join(",") }),
    ...(isPlaced || by.some(({ different }) => different > FEW_GROUPS) ? { top: String(FEW_GROUPS) } : {}),
  };
}

function isCountableText({ isCountable, type }: Column): boolean {
  return isCountable && (type === "number" || type === "text");
}

/** Lists of columns are written with commas between them. */
function isListable({ name }: Column): boolean {
  return !name.includes(",");
}

/** Names things rather than measuring them. */
function isLabel({ plain, isCountable, type }: Column): boolean {
  if (!isCountable || valueRankOf(plain) !== undefined) return false;
  return ID.test(plain) || (type === "number" ? isGroupId(plain) : groupRankOf(plain) !== undefined);
}

function distinctSamples(cells: readonly Sample[]): string[] {
  const texts = cells
    .filter((cell) => !isBlank(cell))
    .map((cell) => (Array.isArray(cell) ? JSON.stringify(cell) : String(cell)));
  return [...new Set(texts)].slice(0, SHOWN_SAMPLES);
}
