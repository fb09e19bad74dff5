/** Guesses whose records a source holds. A column that differs in every row names records and not users: it is not guessed, or warned of where there are more rows. */
import { groupRankOf, isEventName, type UserKind, userKindOf } from "./column-words.ts";
import { type Column, isFew, isUnique } from "./look-column.ts";

export interface UserGuess {
  readonly user: Column | undefined;
  /** What to say where none was found. */
  readonly says: string;
  readonly doubts: readonly string[];
}

const KINDS: readonly UserKind[] = ["person", "device", "vehicle", "sensor"];
const CALLED_ID = /(^|_)id$/;
const SHARED = /bike|bicycl|bicicl|velo$|fahrrad|fiets|scooter|单车/;
/** What writers of tables put where they have no id. */
const NO_ID = /^(na|n\/a|null|none|nil|nan|unknown|anonymous|anon|-|\?)$/i;

/** Of countable columns that are neither places, times nor the value. `isComplete`: the rows are all there are. */
export function guessUser(columns: readonly Column[], isComplete: boolean): UserGuess {
  const named = columns
    .flatMap((column) => {
      const kind = userKindOf(column.plain, column.type === "text");
      return kind === undefined || (isFew(column) && column.type === "text" && !CALLED_ID.test(column.plain))
        ? []
        : [{ column, kind }];
    })
    .sort((left, right) => KINDS.indexOf(left.kind) - KINDS.indexOf(right.kind));
  // In the first of many rows a user who comes once an hour is met once.
  const isRow = (column: Column): boolean =>
    isUnique(column) && (isComplete || userKindOf(column.plain, true) === undefined);
  const able = named.filter(({ column }) => !isRow(column));
  const best = (able.find(({ column }) => !isUnique(column)) ?? able[0])?.column;
  if (best !== undefined) {
    const others = able.map(({ column }) => column).filter((column) => column !== best && !namesTheSame(column, best));
    const event = columns.find((column) => isEventName(column.plain) && namesTheSame(column, best));
    return {
      user: best,
      says: "",
      doubts: [
        ...(event === undefined
          ? []
          : [
              `'${best.name}' is another for every '${event.name}' of the first rows, so it may name those and not people (--user).`,
            ]),
        ...doubtsOf(best, others),
      ],
    };
  }
  const id = columns.find((column) => column.plain === "id" && !isUnique(column));
  if (id !== undefined)
    return {
      user: id,
      says: "",
      doubts: [
        `'${id.name}' is taken for the user because it is called an id; if it names anything else, change --user.`,
      ],
    };
  return {
    user: undefined,
    says: questionOf(
      columns,
      named.map(({ column }) => column),
    ),
    doubts: [],
  };
}

/** One is the id of what the other is the name of. */
function namesTheSame(left: Column, right: Column): boolean {
  const pairs = new Set(left.cells.map((cell, row) => JSON.stringify([cell, right.cells[row]])));
  return pairs.size === new Set(left.cells).size && pairs.size === new Set(right.cells).size;
}

function doubtsOf(user: Column, others: readonly Column[]): string[] {
  const doubts: string[] = [];
  if (isUnique(user))
    doubts.push(
      `'${user.name}' differs in nearly every one of the first rows. If it does in all, it names single records, and planning with this --user will be refused.`,
    );
  if (others.length > 0) {
    const meanings = [user, ...others].map(
      (column) =>
        `--user '${column.name}' protects each of these (${count(column.different)} in the first rows) with all its records`,
    );
    doubts.push(
      `Two or more columns could be the user, and only the one that is chosen is protected: ${meanings.join("; ")}.`,
    );
  }
  if (SHARED.test(user.plain))
    doubts.push(
      `--user '${user.name}' protects each vehicle. People who use several of them are not protected as one.`,
    );
  if (user.cells.some((cell) => NO_ID.test(String(cell ?? "").trim())))
    doubts.push(
      `Some cells of '${user.name}' say that there is no id, in a word such as NA or unknown. All of these would be one user (--user).`,
    );
  return doubts;
}

/** Called an id, of nothing that is known. */
function isOtherId({ plain }: Column): boolean {
  return CALLED_ID.test(plain) && !isEventName(plain) && groupRankOf(plain) === undefined;
}

function questionOf(columns: readonly Column[], named: readonly Column[]): string {
  const single =
    named[0] ??
    columns.find((column) => isUnique(column) && (isEventName(column.plain) || CALLED_ID.test(column.plain)));
  const repeating = columns.filter(
    (column) => (!column.isNamed || isOtherId(column)) && !isUnique(column) && !isFew(column),
  );
  const seen =
    single !== undefined
      ? ` '${single.name}' differs in every row: if these are people who have one record each, write --user '${single.name}' --one-record-per-user.`
      : repeating.length > 0
        ? ` It could be ${repeating.map(({ name }) => `'${name}'`).join(" or ")}.`
        : "";
  return `No column looks like a user; say whose records these are with --user COL.${seen}`;
}

function count(number: number): string {
  return number.toLocaleString("en-US");
}
