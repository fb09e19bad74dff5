/** Guesses what a file's columns are for, from their names and a few rows, to give a curator a first command. A guess decides nothing. */
import { isBlank } from "./cell-looks.ts";
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
import { guessPlace, sizeOfHexagons } from "./guess-places.ts";
import { guessRepeats } from "./guess-repeats.ts";
import { timeGuess } from "./guess-times.ts";
import { guessUser } from "./guess-user.ts";
import {
  type Column,
  type ColumnType,
  holdsNumbers,
  isConstant,
  lacksNumber,
  lookAtColumns,
  mayBeValue,
} from "./look-column.ts";
import type { Sample } from "./sample.ts";

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
const FEW_GROUPS = 20;

const ID = /(^|_)(id|ids|number|nr|num|numero|nummer|key|code|zip|phone)$|_no$|^(year|month|day|hour|weekday)$/;
/** Of numbers, only what is called an id is sure to be none that was measured: an iq_code may be a score. */
const CALLED_ID = /(^|_)id$/;

export function firstLook(description: SourceDescription): FirstLook {
  const columns = lookAtColumns(description);
  const places = guessPlace(columns);
  const { latitude, longitude, point, cell } = places;
  const times = columns.filter(({ type, plain }) => type === "time" && !isOtherDate(plain));
  const time = times.find(({ plain }) => isTimeName(plain)) ?? times[0];
  const rest = columns.filter((column) => ![...places.coordinates, ...times, point, cell].includes(column));
  const measured = rest.filter(mayBeMeasured);
  const value = guessValue(measured);
  const ids = rest.filter(
    (column) => column !== value && column.isCountable && !column.isAmount && ["number", "text"].includes(column.type),
  );
  const whose = guessUser(ids, description.isComplete);
  const { user } = whose;
  const isPlaced = [latitude, point, cell].some((column) => column !== undefined) || places.open.length > 0;
  const by = guessGroups(
    ids.filter((column) => column !== user && !measured.includes(column) && !isConstant(column) && isListable(column)),
    { isPlaced, hasTime: time !== undefined },
  );
  const slots = (time !== undefined && by.length === 0 && !hasUnnamedIds(ids)) || isPlaced ? time : undefined;
  const when = slots === undefined ? undefined : timeGuess(slots.cells);
  const repeats = guessRepeats({
    all: columns.filter(isListable),
    user,
    hidden: value === undefined ? measured : [value],
    time,
  });

  const guess: Record<string, string> = {};
  if (user !== undefined) guess["user"] = user.name;
  if (value !== undefined) guess["value"] = value.name;
  if (by.length > 0) guess["by"] = by.map(({ name }) => name).join(",");
  if (latitude !== undefined && longitude !== undefined)
    Object.assign(guess, { lat: latitude.name, lon: longitude.name });
  if (point !== undefined) guess["point"] = point.name;
  if (cell !== undefined) guess["cell"] = cell.name;
  const size = sizeOfHexagons(places);
  if (size !== undefined) guess["h3"] = String(size);
  if (slots !== undefined) Object.assign(guess, { time: slots.name, ...when!.flags, slot: "1d" });
  if (user?.cells.some((each) => each === null || each === "")) guess["empty-user"] = "drop";
  if (repeats.dedupe.length > 0) guess["dedupe"] = repeats.dedupe.map(({ name }) => name).join(",");
  if (value?.cells.some(lacksNumber)) guess["missing"] = "midpoint";
  if (isPlaced || by.some(({ different }) => different > FEW_GROUPS)) guess["top"] = String(FEW_GROUPS);

  const roles = new Map(
    Object.entries({ user, value, latitude, longitude, point, cell, time: slots }).map(([role, column]) => [
      column,
      role,
    ]),
  );
  for (const column of by) roles.set(column, "by");
  const isPublic = (column: Column): boolean =>
    (places.coordinates.includes(column) && isCoordinateName(column.plain)) ||
    [point, cell, time, user].includes(column) ||
    (column.type === "time" && !holdsNumbers(column)) ||
    (isLabel(column) && value !== undefined && (CALLED_ID.test(column.plain) || !holdsNumbers(column))) ||
    !mayBeValue(column);
  const isGrouped = by.length > 0 || isPlaced || slots !== undefined;
  return {
    columns: columns.map((column) => ({
      name: column.name,
      type: column.type,
      samples: isPublic(column) ? distinctSamples(column.cells) : null,
      role: roles.get(column) ?? null,
    })),
    guess,
    open: [
      ...(user === undefined ? [{ flag: "user", says: whose.says }] : []),
      ...(value === undefined
        ? [
            {
              flag: "value",
              says: `No column is sure to be the value; say which numbers are wanted with --value COL.${candidates(measured)}`,
            },
          ]
        : []),
      ...(isGrouped
        ? places.open
        : [
            {
              flag: "by",
              says: "No column is sure to be a group; say what a grid is with --by COL, or with --time COL --slot 1d.",
            },
          ]),
    ],
    doubts: [...whose.doubts, ...valueDoubts(value), ...places.doubts, ...(when?.doubts ?? []), ...repeats.doubts],
  };
}

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
function guessValue(measured: readonly Column[]): Column | undefined {
  const ranked = measured
    .flatMap((column) => {
      const rank = valueRankOf(column.plain);
      return rank === undefined ? [] : [{ column, rank }];
    })
    .sort((left, right) => left.rank - right.rank);
  if (ranked[0] !== undefined) return ranked[0].column;
  const fractions = measured.filter(({ isCountable }) => !isCountable);
  return measured.every(({ isNamed }) => isNamed) || fractions.length === 1 ? fractions[0] : undefined;
}

function candidates(columns: readonly Column[]): string {
  return columns.length === 0 ? "" : ` It could be ${columns.map(({ name }) => `'${name}'`).join(" or ")}.`;
}

function valueDoubts(value: Column | undefined): string[] {
  if (value === undefined) return [];
  return [
    ...(value.isAmount
      ? [
          `How the numbers in '${value.name}' are written cannot be told from the first rows: write them as 1234.5 for --value, or add --decimal-comma if a comma stands before decimals.`,
        ]
      : []),
    ...(value.filled > 0 &&
    value.cells.every((cell) => isBlank(cell) || /^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(String(cell).trim()))
      ? [
          `Every number in '${value.name}' has three digits behind its point and is read as a fraction: if the points set off thousands, write the numbers without them for --value.`,
        ]
      : []),
    ...(valueRankOf(value.plain) === undefined
      ? [`'${value.name}' is taken for the value because it is a number; if another is wanted, change --value.`]
      : []),
  ];
}

/** Few and large groups first: one column, and beside it the one that says what was measured, where there are several measures. */
function guessGroups(
  others: readonly Column[],
  { isPlaced, hasTime }: { readonly isPlaced: boolean; readonly hasTime: boolean },
): Column[] {
  const measures = others.filter((column) => isMeasureName(column.plain) && column.different > 1);
  if (isPlaced) return measures;
  const named = others
    .flatMap((column) => {
      const rank =
        isIdOfEvent(column) || valueRankOf(column.plain) !== undefined ? undefined : groupRankOf(column.plain);
      return rank === undefined || measures.includes(column) ? [] : [{ column, rank }];
    })
    .sort((left, right) => left.rank - right.rank)
    .map(({ column }) => column);
  const repeating = hasTime
    ? []
    : others.filter((column) => column.different < column.filled && !isIdOfEvent(column) && column.isNamed);
  return [named[0] ?? repeating[0] ?? [], measures].flat().filter((column, at, all) => all.indexOf(column) === at);
}

/** Lists of columns are written with commas between them. */
function isListable({ name }: Column): boolean {
  return !name.includes(",");
}

/** Where no column has a name, any of them may be the group, and nothing speaks for slots of time. */
function hasUnnamedIds(ids: readonly Column[]): boolean {
  return ids.some(({ isNamed }) => !isNamed);
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
