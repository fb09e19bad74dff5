/** Guesses which column is the user. A column that differs in every row names records, not users: it is not guessed, or doubted where there are more rows. */

import { byRank, type Column, isFew, isUnique, namesOf } from "./column-facts.ts";
import { groupRankOf, isEventName, type UserKind, userKindOf } from "./column-words.ts";
import { applicable, type Finding } from "./finding.ts";

const KINDS: readonly UserKind[] = ["person", "device", "vehicle", "sensor"];
const CALLED_ID = /(^|_)id$/;
const SHARED = /bike|bicycl|bicicl|velo$|fahrrad|fiets|scooter|单车/;
/** What writers of tables put where they have no id. */
const NO_ID = /^(na|n\/a|null|none|nil|nan|unknown|anonymous|anon|-|\?)$/i;

/** Of countable columns that are neither places, times nor the value. `isComplete`: the rows are all there are. */
export function guessUser(
  columns: readonly Column[],
  isComplete: boolean,
): Finding & { readonly user: Column | undefined } {
  const named = byRank(columns, (column) => {
    const kind = userKindOf(column.plain, column.type === "text");
    const isClass = isFew(column) && column.type === "text" && !CALLED_ID.test(column.plain);
    return kind === undefined || isClass ? undefined : KINDS.indexOf(kind);
  });
  // In the first of many rows a user who comes once an hour is met once.
  const able = named.filter(
    (column) => !isUnique(column) || !(isComplete || userKindOf(column.plain, true) === undefined),
  );
  const best = able.find((column) => !isUnique(column)) ?? able[0];
  const user = best ?? columns.find((column) => column.plain === "id" && !isUnique(column));
  if (user === undefined) return { user, open: [{ flag: "user", says: questionOf(columns, named) }] };
  return {
    user,
    flags: { user: user.name, ...(user.cells.some((each) => each === null || each === "") ? EMPTY_USERS : {}) },
    doubts:
      best === undefined
        ? [`'${user.name}' is taken for the user because it is called an id; if it names anything else, change --user.`]
        : doubtsOf(user, { able, event: columns.find((each) => isEventName(each.plain) && namesTheSame(each, user)) }),
  };
}

const EMPTY_USERS = { "empty-user": "drop" };

/** One is the id of what the other is the name of. */
function namesTheSame(left: Column, right: Column): boolean {
  const pairs = new Set(left.cells.map((cell, row) => JSON.stringify([cell, right.cells[row]])));
  return pairs.size === new Set(left.cells).size && pairs.size === new Set(right.cells).size;
}

function doubtsOf(
  user: Column,
  { able, event }: { readonly able: readonly Column[]; readonly event: Column | undefined },
): string[] {
  const { name } = user;
  const others = able.filter((column) => column !== user && !namesTheSame(column, user));
  const meanings = [user, ...others].map(
    (column) =>
      `--user '${column.name}' protects each of these (${column.different.toLocaleString("en-US")} in the first rows) with all its records`,
  );
  return applicable(
    [
      event !== undefined,
      `'${name}' is another for every '${event?.name}' of the first rows, so it may name those and not people (--user).`,
    ],
    [
      isUnique(user),
      `'${name}' differs in nearly every one of the first rows. If it does in all, it names single records, and planning with this --user will be refused.`,
    ],
    [
      others.length > 0,
      `Two or more columns could be the user, and only the one that is chosen is protected: ${meanings.join("; ")}.`,
    ],
    [
      SHARED.test(user.plain),
      `--user '${name}' protects each vehicle. People who use several of them are not protected as one.`,
    ],
    [
      user.cells.some((cell) => NO_ID.test(String(cell ?? "").trim())),
      `Some cells of '${name}' say that there is no id, in a word such as NA or unknown. All of these would be one user (--user).`,
    ],
  );
}

function questionOf(columns: readonly Column[], named: readonly Column[]): string {
  const single =
    named[0] ??
    columns.find((column) => isUnique(column) && (isEventName(column.plain) || CALLED_ID.test(column.plain)));
  const repeating = columns.filter(
    (column) => (!column.isNamed || isOtherId(column)) && !isUnique(column) && !isFew(column),
  );
  const [hint = ""] = applicable(
    [
      single !== undefined,
      ` '${single?.name}' differs in every row: if these are people who have one record each, write --user '${single?.name}' --one-record-per-user.`,
    ],
    [repeating.length > 0, ` It could be ${namesOf(repeating)}.`],
  );
  return `No column looks like a user; say whose records these are with --user COL.${hint}`;
}

/** Called an id, of nothing that is known. */
function isOtherId({ plain }: Column): boolean {
  return CALLED_ID.test(plain) && !isEventName(plain) && groupRankOf(plain) === undefined;
}
