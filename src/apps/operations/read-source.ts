/** Reads whatever SOURCE is into an occupancy array: an occupancy file as it stands, or records by way of an engine and a recipe. */

import { itemAt, quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import type { BuildNotes, Occupancy } from "../../core/occupancy/index.ts";
import {
  chosen,
  optionTexts,
  READING_OPTIONS,
  RECIPE_OPTIONS,
  RECORDS_OPTIONS,
  type RecordsOptions,
} from "../../core/options/index.ts";
import type { LongWorkOptions, PlanPartition } from "../../core/planning/index.ts";
import type { DuckDbEngine, Engine, ReadingNotes } from "../../data/engines/index.ts";
import {
  parseGridId,
  parseRecipe,
  parseTimeFormat,
  partitionDepth,
  type Recipe,
  readCell,
  recipeJson,
} from "../../data/partition/index.ts";
import {
  type DialectOptions,
  FILE_NAME,
  guessTimeFormat,
  isFileName,
  parseDatabaseUrl,
  parseDelimiter,
  parseEncoding,
  readOccupancyFile,
  type SourceDescription,
  timeFormatAdvice,
} from "../../data/sources/index.ts";
import { dwellWarnings, occupancyWarnings } from "./warnings/reading-warnings.ts";

export interface SourceReading {
  readonly occupancy: Occupancy;
  /** For an occupancy file. */
  readonly notes: BuildNotes | null;
  /** For records. */
  readonly records: RecordsReading | null;
  /** Mistakes that were noticed, as sentences for the curator. Nothing in them comes from a value. */
  readonly warnings: readonly string[];
}

export interface RecordsReading {
  readonly notes: ReadingNotes;
  /** Every file that was read, or the address of the table. */
  readonly files: readonly string[];
  /** How the files are written, or how the table was read, as sentences. */
  readonly told: readonly string[];
  /** The recipe as a plan carries it. */
  readonly partition: PlanPartition;
}

/** Whether anything was said about records; otherwise SOURCE is an occupancy file. */
export function wantsRecords(options: RecordsOptions): boolean {
  return Object.keys(optionTexts(RECIPE_OPTIONS, options)).length > 0;
}

export interface ReadOptions extends LongWorkOptions {
  /** For those who may know users by rank only: no warning names one. */
  readonly withoutNames?: boolean | undefined;
  /** To read records with; it stays open. One is opened if absent. */
  readonly engine?: Engine | undefined;
}

/** Flags are checked before a file is opened. */
export async function readSource(
  source: string,
  given: RecordsOptions,
  work: ReadOptions = {},
): Promise<SourceReading> {
  const options = optionTexts(RECORDS_OPTIONS, given);
  if (!wantsRecords(options) && parseDatabaseUrl(source) === undefined) {
    const read = await readOccupancyFile(source, work);
    return { ...read, records: null, warnings: occupancyWarnings(read.occupancy, { ...work, ...options }) };
  }
  const recipe = parseRecipe(options);
  if (source === "-")
    throw new VeilgridError(
      "USAGE",
      "records cannot come from standard input, which can be read only once; save them to a file",
    );
  await using lease = await leaseEngine(source, options, work.engine);
  const { engine } = lease;
  // Of a table nothing is looked at but how times are written, and whose they are.
  const sampled = recipe.time?.format === "auto" ? [recipe.user, recipe.time.column] : [];
  const description = await engine.describe(source, dialectOf(options), { ...work, sampled });
  const resolved = resolveTimeFormat(recipe, description);
  const { occupancy, notes, messages } = await engine.readOccupancy({ source: description, recipe: resolved }, work);
  return {
    occupancy,
    notes: null,
    records: {
      notes,
      files: description.table === null ? description.files.map((file) => file.path) : [source],
      told: [
        ...describeSource(description, resolved.value),
        ...describeUsers(resolved, description),
        ...(messages ?? []),
        ...describeTimes(resolved, options),
        ...describeCells(resolved, occupancy),
      ],
      partition: recipeJson(resolved),
    },
    warnings: [
      ...occupancyWarnings(occupancy, { ...work, ...options }),
      ...dwellWarnings(resolved, occupancy, rowsWithUsers(resolved, description)),
    ],
  };
}

/** Engines are loaded when records are to be read, not before. */
export async function openEngineFor(source: string, options: Pick<RecordsOptions, "memory"> = {}): Promise<Engine> {
  const { openEngine } = await import("../../data/engines/index.ts");
  return openEngine(source, { memory: options.memory });
}

/** An engine for one use: the one that is given, which stays open, or one of its own. */
export async function leaseEngine(
  source: string,
  options: Pick<RecordsOptions, "memory">,
  given: Engine | undefined,
): Promise<AsyncDisposable & { readonly engine: Engine }> {
  const engine = given ?? (await openEngineFor(source, options));
  return {
    engine,
    [Symbol.asyncDispose]: async () => (given === undefined ? engine[Symbol.asyncDispose]() : undefined),
  };
}

/** The embedded one, which also writes files. */
export async function openEmbeddedEngine(): Promise<DuckDbEngine> {
  const { DuckDbEngine } = await import("../../data/engines/index.ts");
  return DuckDbEngine.open();
}

export function dialectOf(options: RecordsOptions): DialectOptions {
  const header = chosen(READING_OPTIONS, "header", options.header);
  return {
    delimiter: options.delimiter === undefined ? undefined : parseDelimiter(options.delimiter),
    header: header === undefined ? undefined : header === "yes",
    decimalComma: options.decimalComma || undefined,
    encoding: options.encoding === undefined ? undefined : parseEncoding(options.encoding),
  };
}

/** A plan says how times were read; what the first rows leave open the curator must say. */
function resolveTimeFormat(recipe: Recipe, description: SourceDescription): Recipe {
  const { time } = recipe;
  if (time === null || time.format !== "auto") return recipe;
  const cells = description.rows.map((row) => row[time.column] ?? null);
  const format = guessTimeFormat(cells);
  const filled = cells.find((cell) => cell !== null && cell !== "");
  if (format === undefined) {
    throw new VeilgridError(
      "USAGE",
      `how times such as ${quoteForMessage(String(filled))} in column ${quoteForMessage(time.column)} are written cannot be told from the first rows; ${timeFormatAdvice(cells)}`,
    );
  }
  return { ...recipe, time: { ...time, format: parseTimeFormat(format) } };
}

const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  ",": "commas",
  ";": "semicolons",
  "\t": "tabs",
  "|": "bars",
  " ": "spaces",
};

const KIND_NAMES = { csv: "CSV", "json lines": "JSON lines", "json array": "JSON array", parquet: "Parquet" };
const ENCODING_NAMES = { "utf-16": "UTF-16", "latin-1": "Latin-1 (--encoding says otherwise)" };

/** How the first file is written, where that was sniffed, or which table was read; and how its value is written, where that is not plain. */
export function describeSource({ files, table }: SourceDescription, value?: string): string[] {
  if (table !== null) return [`read from ${table.name}`];
  const { layout, gzip } = itemAt(files, 0);
  const several = files.length === 1 ? "" : `${files.length} files, the first `;
  const read = `read as ${several}${KIND_NAMES[layout.kind]}${gzip ? ", gzip" : ""}`;
  if (layout.kind !== "csv") return [read];
  const { dialect } = layout;
  const parts = [
    dialect.encoding === undefined ? read : `${read}, ${ENCODING_NAMES[dialect.encoding]}`,
    `: fields between ${DELIMITER_NAMES[dialect.delimiter] ?? quoteForMessage(dialect.delimiter)}, `,
    dialect.header ? "a header" : "no header, so columns are column1, column2, …",
    dialect.decimalComma ? ", decimal commas" : "",
  ];
  const form = dialect.amounts?.find(({ column }) => column === value);
  if (form === undefined) return [parts.join("")];
  const example = `${form.prefix}1${form.thousands}234${form.decimal}5${form.suffix}`;
  return [
    parts.join(""),
    `numbers in column ${quoteForMessage(form.column)} are read as written like ${quoteForMessage(example)}`,
  ];
}

/** The first rows are of one file, so of one user where users are files. */
function rowsWithUsers({ user }: Recipe, { rows, files }: SourceDescription): SourceDescription["rows"] {
  return isFileName(user, files) ? rows.map((row) => ({ ...row, [user]: "" })) : rows;
}

function describeUsers({ user }: Recipe, { files }: SourceDescription): string[] {
  if (user !== FILE_NAME) return [];
  return [
    isFileName(user, files)
      ? `users are the names of the ${files.length} files, without folder and extension`
      : "users are read from the column 'filename', not from the names of files",
  ];
}

function describeTimes({ time }: Recipe, options: RecordsOptions): string[] {
  if (time === null) return [];
  const notes: string[] = [];
  if (time.format !== "iso" && (options.timeFormat ?? "auto").toLowerCase() === "auto")
    notes.push(
      `times are read as ${time.format.replace("date:", "")}, the only form that fits all of the first rows; --time-format changes it`,
    );
  if (options.tz === undefined)
    notes.push("times without an offset are read as UTC, and slots and hours are in UTC; --tz ZONE changes both");
  return notes;
}

/** Stored cells of several resolutions lie over one another on a map; that may be meant. */
function describeCells(recipe: Recipe, { grids }: Occupancy): string[] {
  if (recipe.place?.kind !== "cell" || recipe.place.resolution !== null) return [];
  const shape = partitionDepth(recipe);
  const cells = new Set([...grids].map((grid) => parseGridId(grid, shape).cell ?? ""));
  const found = new Set([...cells].flatMap((cell) => readCell(cell)?.resolution ?? []));
  const [coarsest, ...finer] = [...found].sort((left, right) => left - right);
  if (finer.length === 0) return [];
  return [
    `cells of resolutions ${[coarsest, ...finer].join(", ")}: grids may lie over one another, though each record is in one of them; --h3 ${coarsest} makes all of them alike`,
  ];
}
