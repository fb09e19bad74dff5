/** First look: what a file holds whose columns nobody has named yet, and a command to start from. */
import { stat } from "node:fs/promises";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import type { RecordsOptions } from "../../core/options/index.ts";
import type { LongWorkOptions } from "../../core/planning/index.ts";
import {
  type ColumnLook,
  FILE_NAME,
  type FirstLook,
  firstLook,
  type Guess,
  isFileName,
  isPattern,
  parseDatabaseUrl,
  readFileHead,
  type SourceDescription,
} from "../../data/sources/index.ts";
import { describeSource, dialectOf, openEngineFor } from "./read-source.ts";

export interface FirstLookResult {
  readonly source: string;
  readonly files: number;
  readonly told: readonly string[];
  readonly columns: readonly ColumnLook[];
  /** Long flag names without dashes. */
  readonly guess: Guess;
  /** Flags that could not be guessed, with a sentence each. */
  readonly open: ReadonlyArray<{ readonly flag: string; readonly says: string }>;
  /** Guesses that deserve a second look, as sentences. */
  readonly doubts: readonly string[];
  /** What to type next; COL stands where something is open. */
  readonly command: string;
}

export async function lookAtFile(
  source: string,
  options: RecordsOptions,
  work: LongWorkOptions = {},
): Promise<FirstLookResult> {
  await using engine = await openEngineFor(source, options);
  const description = await engine.describe(source, dialectOf(options), work);
  if (description.columns.length < 2) {
    throw new VeilgridError(
      "INPUT_MALFORMED",
      `${quoteForMessage(source)} has one column only as it was read; say what stands between fields with --delimiter, such as --delimiter space`,
    );
  }
  const look = withFileNames(firstLook(description), description);
  const said = {
    ...(options.delimiter === undefined ? {} : { delimiter: options.delimiter }),
    ...(options.encoding === undefined ? {} : { encoding: options.encoding }),
    ...(options.header === undefined ? {} : { header: options.header }),
  };
  const guess = { ...look.guess, ...said };
  const flags = Object.entries(guess).map(([flag, value]) => `--${flag} ${shellWord(value)}`);
  return {
    source,
    files: description.table === null ? description.files.length : 1,
    told: describeSource(description, look.guess["value"]),
    columns: look.columns,
    guess,
    open: look.open,
    doubts: look.doubts,
    command: [
      "npx veilgrid survey",
      shellWord(source.startsWith("-") ? `./${source}` : source),
      ...look.open.map(({ flag }) => `--${flag} COL`),
      ...flags,
      ...(options.decimalComma ? ["--decimal-comma"] : []),
    ].join(" "),
  };
}

/** Of several files without a user's column, each may be a user's. */
function withFileNames(look: FirstLook, { files }: SourceDescription): FirstLook {
  if (look.guess["user"] !== undefined || files.length < 2 || !isFileName(FILE_NAME, files)) return look;
  return {
    ...look,
    guess: { user: FILE_NAME, ...look.guess },
    open: look.open.filter(({ flag }) => flag !== "user"),
    doubts: [
      `No column could be the user, so each of the ${files.length} files is taken for one user's, by its name. If files hold days or places instead, do not use --user filename.`,
      ...look.doubts,
    ],
  };
}

/** Whether a file is meant as an occupancy array: it has the three columns, whatever else is wrong with it. */
export async function isOccupancyFile(source: string): Promise<boolean> {
  if (source === "-") return true;
  if (parseDatabaseUrl(source) !== undefined) return false;
  const found = await stat(source).catch(() => undefined);
  // A pipe can be read only once, so it is not looked at: it must be an array.
  if (found !== undefined && !found.isFile() && !found.isDirectory()) return true;
  const head = await readFileHead(source).catch((error) => {
    if (isPattern(source)) return undefined;
    throw error;
  });
  if (head === undefined) return false;
  if (head.kind !== "csv") return false;
  const names = new Set(
    (head.text.split(/[\r\n]/, 1)[0] ?? "")
      .replace(/^\uFEFF/, "")
      .split(/[,;\t|]/)
      .map((name) => name.replaceAll('"', "").trim().toLowerCase()),
  );
  return ["user", "grid", "count"].every((name) => names.has(name));
}

/** As a shell takes it literally. */
function shellWord(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
