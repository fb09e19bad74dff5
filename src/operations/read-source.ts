/** Reads whatever SOURCE is into an occupancy array: an occupancy file as it stands, or records by way of an engine and a recipe. */
import type { DuckDbEngine, ReadingNotes } from "../engines/index.ts";
import { quoteForMessage, VeilgridError } from "../errors/index.ts";
import type { BuildNotes, Occupancy } from "../occupancy/index.ts";
import { parseRecipe, type Recipe, type RecipeWishes, recipeJson } from "../partition/index.ts";
import type { LongWorkOptions, PlanPartition } from "../planning/index.ts";
import {
  type DialectWishes,
  guessTimeFormat,
  parseDelimiter,
  readOccupancyFile,
  type SourceDescription,
} from "../sources/index.ts";

/** What a curator says about a source of records, all as text. */
export interface SourceWishes extends RecipeWishes {
  readonly delimiter?: string | undefined;
  readonly header?: string | undefined;
  readonly decimalComma?: boolean | undefined;
  /** Of the embedded engine: `1GB`. */
  readonly memory?: string | undefined;
}

export interface SourceReading {
  readonly occupancy: Occupancy;
  /** For an occupancy file. */
  readonly notes: BuildNotes | null;
  /** For records. */
  readonly records: RecordsReading | null;
}

export interface RecordsReading {
  readonly notes: ReadingNotes;
  /** Every file that was read. */
  readonly files: readonly string[];
  /** How the files are written, as sentences. */
  readonly told: readonly string[];
  /** The recipe as a plan carries it. */
  readonly partition: PlanPartition;
}

/** Whether anything was said about records; otherwise SOURCE is an occupancy file. */
export function wantsRecords(wishes: SourceWishes): boolean {
  const { delimiter, header, decimalComma, memory, ...recipe } = wishes;
  return Object.values(recipe).some((wish) => wish !== undefined);
}

/** Flags are checked before a file is opened. */
export async function readSource(
  source: string,
  wishes: SourceWishes,
  options: LongWorkOptions = {},
): Promise<SourceReading> {
  if (!wantsRecords(wishes)) return { ...(await readOccupancyFile(source, options)), records: null };
  const recipe = parseRecipe(wishes);
  if (source === "-")
    throw new VeilgridError(
      "USAGE",
      "records cannot come from standard input, which can be read only once; save them to a file",
    );
  await using engine = await openEngine(wishes);
  const description = await engine.describe(source, dialectWishes(wishes), options);
  const resolved = resolveTimeFormat(recipe, description);
  const { occupancy, notes } = await engine.readOccupancy({ source: description, recipe: resolved }, options);
  return {
    occupancy,
    notes: null,
    records: {
      notes,
      files: description.files.map((file) => file.path),
      told: [...toldOfFiles(description), ...toldOfTime(resolved, wishes)],
      partition: recipeJson(resolved),
    },
  };
}

/** The embedded engine is loaded when records are to be read, not before. */
export async function openEngine(wishes: Pick<SourceWishes, "memory"> = {}): Promise<DuckDbEngine> {
  const { DuckDbEngine } = await import("../engines/index.ts");
  return DuckDbEngine.open({ memory: wishes.memory });
}

export function dialectWishes(wishes: SourceWishes): DialectWishes {
  const { header } = wishes;
  if (header !== undefined && header !== "yes" && header !== "no")
    throw new VeilgridError("USAGE", `--header ${quoteForMessage(header)} is unknown; use yes or no`);
  return {
    delimiter: wishes.delimiter === undefined ? undefined : parseDelimiter(wishes.delimiter),
    header: header === undefined ? undefined : header === "yes",
    decimalComma: wishes.decimalComma || undefined,
  };
}

/** A plan says how times were read; what the first rows leave open the curator must say. */
function resolveTimeFormat(recipe: Recipe, description: SourceDescription): Recipe {
  const { time } = recipe;
  if (time === null || time.format !== "auto") return recipe;
  const cells = description.rows.map((row) => row[time.column] ?? null);
  const format = guessTimeFormat(cells);
  const filled = cells.find((cell) => cell !== null && cell !== "");
  if (format === undefined || /^(dd|mm)/.test(format)) {
    throw new VeilgridError(
      "USAGE",
      `times such as ${quoteForMessage(String(filled))} in column ${quoteForMessage(time.column)} can be read in more than one way; say how with --time-format dd/mm/yyyy or mm/dd/yyyy`,
    );
  }
  return { ...recipe, time: { ...time, format: format.startsWith("yyyy") ? `date:${format}` : (format as "iso") } };
}

const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  ",": "commas",
  ";": "semicolons",
  "\t": "tabs",
  "|": "bars",
};

/** How the first file is written, where that was sniffed. */
export function toldOfFiles(description: SourceDescription): string[] {
  const [file] = description.files;
  const { layout, gzip } = file!;
  const files = description.files.length === 1 ? "" : `${description.files.length} files, the first `;
  if (layout.kind !== "csv")
    return [
      `read as ${files}${layout.kind === "parquet" ? "Parquet" : layout.kind.toUpperCase().replace("LINES", "lines").replace("ARRAY", "array")}${gzip ? ", gzip" : ""}`,
    ];
  const { dialect } = layout;
  return [
    `read as ${files}CSV${gzip ? ", gzip" : ""}: fields between ${DELIMITER_NAMES[dialect.delimiter] ?? quoteForMessage(dialect.delimiter)}, ` +
      `${dialect.header ? "a header" : "no header, so columns are column1, column2, …"}${dialect.decimalComma ? ", decimal commas" : ""}`,
  ];
}

function toldOfTime({ time }: Recipe, wishes: SourceWishes): string[] {
  if (time === null || wishes.tz !== undefined) return [];
  return ["times without an offset are read as UTC, and slots and hours are in UTC; --tz ZONE changes both"];
}
