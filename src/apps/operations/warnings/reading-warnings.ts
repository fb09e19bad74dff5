/** Mistakes that can be noticed while records are counted: from ids, counts and times, never from a value. */
import { escapeControls, quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import { measuredBound } from "../../../core/influence/index.ts";
import { findIdsAlike, type Occupancy } from "../../../core/occupancy/index.ts";
import { parseGridId, partitionDepth, type Recipe } from "../../../data/partition/index.ts";
import { reportingInterval, type SourceDescription } from "../../../data/sources/index.ts";

/** Sentences for the curator, each with what to do. */
export function occupancyWarnings(
  occupancy: Occupancy,
  {
    withoutNames = false,
    oneRecordPerUser = false,
  }: { readonly withoutNames?: boolean | undefined; readonly oneRecordPerUser?: boolean | undefined } = {},
): string[] {
  return [
    ...aboutUsers(occupancy, oneRecordPerUser),
    ...aboutNoIds(occupancy, withoutNames),
    ...aboutIdsAlike(occupancy, withoutNames),
  ];
}

/** Fewer records can look like anything. */
const LEAST_RECORDS = 50;
const NEARLY_ALL = 0.95;

function aboutUsers(occupancy: Occupancy, oneRecordPerUser: boolean): string[] {
  const { users, samples } = occupancy;
  if (samples >= LEAST_RECORDS && users.length === 1)
    return [
      "all records are of one user, whom no noise can hide among others; check that the user column says whose record it is",
    ];
  return oneRecordPerUser || !isOneRecordPerUser(occupancy) ? [] : [singleRecords(occupancy)];
}

/** Refuses ids that are all different, which protect single records, unless the curator has said that nobody has several. */
export function refuseSingleRecords(occupancy: Occupancy): void {
  if (isOneRecordPerUser(occupancy)) throw new VeilgridError("USAGE", singleRecords(occupancy));
}

function isOneRecordPerUser({ users, samples }: Occupancy): boolean {
  return samples >= LEAST_RECORDS && users.length >= NEARLY_ALL * samples;
}

function singleRecords({ users, samples }: Occupancy): string {
  return `${formatCount(users.length)} users have ${formatCount(samples)} records, so a plan would protect single records and not people; name the column that says whose records they are (--user), or say that nobody has more than one (--one-record-per-user)`;
}

/** What writers of tables put where they have no id. */
const NO_IDS = [
  "NA",
  "na",
  "N/A",
  "n/a",
  "#N/A",
  "n.a.",
  "N.A.",
  "null",
  "NULL",
  "Null",
  "nan",
  "NaN",
  "NAN",
  "None",
].concat(["none", "NONE", "-", "--", "\\N", " "]);

/** Somebody may be called so, so that it is for the curator to say. */
function aboutNoIds(occupancy: Occupancy, withoutNames: boolean): string[] {
  return NO_IDS.flatMap((id) => {
    const user = occupancy.users.indexOf(id);
    if (user < 0) return [];
    const { start, count } = occupancy.byUser;
    const records = count.subarray(start[user], start[user + 1]).reduce((sum, each) => sum + each, 0);
    const shown = withoutNames ? "of a user whose id" : `of user '${id}', which`;
    return [
      `${formatCount(records)} records are ${shown} often means that there is no id: if so, they are of several people with one budget; write an empty field instead, which --empty-user drop leaves out`,
    ];
  });
}

function aboutIdsAlike({ users }: Occupancy, withoutNames: boolean): string[] {
  const { pairs, example, oneIn } = findIdsAlike(users);
  if (example === null) return [];
  const [one, other] = example.map(visible);
  const shown = withoutNames ? " (veilgrid survey shows a pair)" : `, such as '${one}' and '${other}'`;
  const part = oneIn === 1 ? "" : `, of about one in ${oneIn} that were looked at`;
  return [
    `${formatCount(pairs)} user ${pairs === 1 ? "id differs" : "ids differ"} from another only in case, spaces, punctuation or Unicode form${shown}${part}: if they are one person, who has a budget for each, write them alike before`,
  ];
}

const LONGEST_SHOWN = 40;

/** Also what has no width or looks like a plain space or letter. */
function visible(id: string): string {
  const escaped = id.replace(/[\p{Cf}\p{M}\p{Zs}]/gu, (character) =>
    character === " " ? " " : `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`,
  );
  const shown = escaped.length > LONGEST_SHOWN ? `${escaped.slice(0, LONGEST_SHOWN - 1)}…` : escaped;
  return escapeControls(shown);
}

/** A device that reports by the clock has as many records in a place as it spent time there. */
export function dwellWarnings(recipe: Recipe, occupancy: Occupancy, rows: SourceDescription["rows"]): string[] {
  const { time, dedupe, user } = recipe;
  if (time === null || (dedupe !== null && !dedupe.includes(time.column))) return [];
  if (!usersMove(recipe, occupancy)) return [];
  const seconds = reportingInterval(rows, { user, time: time.column, format: time.format });
  if (seconds === undefined) return [];
  return [
    `records of a user come about every ${durationText(seconds)} (in the first rows), so counts, which are public, tell the time spent in a grid and with it values such as speed; count passages instead: --dedupe with a column that tells them apart, and without the time`,
  ];
}

const MOST_USERS = 1000;
const MOST_ENTRIES = 200;

/** Whether most users are in several places or groups; a sensor on a wall is in one. */
function usersMove(recipe: Recipe, { users, grids, byUser }: Occupancy): boolean {
  const shape = partitionDepth(recipe);
  if (!shape.cell && shape.columns === 0) return false;
  const step = Math.ceil(users.length / MOST_USERS);
  let looked = 0;
  let moving = 0;
  for (let user = 0; user < users.length; user += step) {
    looked += 1;
    const from = byUser.start[user]!;
    const to = Math.min(byUser.start[user + 1]!, from + MOST_ENTRIES);
    const placeAt = (entry: number): string => {
      const { columns, cell } = parseGridId(grids.get(byUser.grid[entry]!), shape);
      return JSON.stringify([columns, cell]);
    };
    const first = from < to ? placeAt(from) : "";
    for (let entry = from + 1; entry < to; entry++) {
      if (placeAt(entry) === first) continue;
      moving += 1;
      break;
    }
  }
  return 2 * moving >= looked;
}

function durationText(seconds: number): string {
  if (seconds < 100) return `${Math.max(1, Math.round(seconds))} s`;
  return `${Math.round(seconds / 60)} min`;
}

function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** Bounds that look as if they were read off the data, which they then give away. */
export function boundsWarnings({
  bounds,
  upper,
}: {
  bounds?: string | undefined;
  upper?: string | undefined;
}): string[] {
  const found = measuredBound((bounds ?? upper ?? "").split(","));
  if (found === undefined) return [];
  return [
    `the bound ${quoteForMessage(found.trim())} has so many digits that it looks taken from the data, whose extremes it would make public; use what is known without them, such as a limit, a sensor's range or a round number`,
  ];
}
