/** The files of a release: which, where, and written from the committed result alone. */
import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Rational } from "../../core/arithmetic/index.ts";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import type { LongWorkOptions, Plan } from "../../core/planning/index.ts";
import { partitionDepth, readRecipe } from "../../data/partition/index.ts";
import { noTemporaryFiles, TemporaryFolder } from "../../data/sources/index.ts";
import type { ReleaseResult } from "../../publish/release/index.ts";
import { openEmbeddedEngine } from "./read-source.ts";
import { checkOut, makeFolder, writeFileWhole } from "./write-file.ts";

const RELEASE_FORMATS: readonly ReleaseFormat[] = ["csv", "json", "parquet", "geojson", "html"];
export type ReleaseFormat = "csv" | "json" | "parquet" | "geojson" | "html";

export interface ReleaseFile {
  readonly what: ReleaseFormat | "statement" | "statement as JSON" | "dictionary" | "result";
  /** undefined: to be printed. */
  readonly path: string | undefined;
  /** Of a file to be printed. */
  readonly text?: string;
}

/** A folder for everything, a file for one format, or neither: to print. */
interface OutPath {
  readonly folder: string | undefined;
  readonly file: string | undefined;
}

/** Where to write what; decided before anything is spent. */
export interface ReleaseWriting extends OutPath {
  readonly formats: readonly ReleaseFormat[];
}

export async function releaseFiles(
  options: { readonly out?: string | undefined; readonly format?: string | undefined },
  plan: Plan,
  source: string,
): Promise<ReleaseWriting> {
  const out = await outPath(options.out, source);
  const hexagons = plan.partition !== null && partitionDepth(readRecipe(plan.partition)).cell;
  const formats = formatsOf(options.format, out, hexagons);
  if (formats.includes("geojson") && !hexagons)
    throw new VeilgridError("USAGE", "--format geojson needs hexagons; this plan's grids have none");
  if (out.folder === undefined && formats.length > 1)
    throw new VeilgridError("USAGE", "several formats need a folder; write --out like results/");
  if (out.folder === undefined && out.file === undefined && formats[0] === "parquet")
    throw new VeilgridError("USAGE", "--format parquet needs --out: it is no text to print");
  return { formats, ...out };
}

/** Every file that will be written. */
export function targetsOf({ formats, folder, file }: ReleaseWriting): string[] {
  if (folder === undefined && file === undefined) return [];
  const beside = Object.values(BESIDE).map((name) => besidePath({ folder, file }, name));
  return [...formats.map((format) => formatPath({ folder, file }, format)), ...beside];
}

const BESIDE = {
  statement: "privacy-statement.md",
  "statement as JSON": "privacy-statement.json",
  dictionary: "dictionary.md",
  result: "result.json",
} as const;

function formatPath({ folder, file }: OutPath, format: ReleaseFormat): string {
  return file ?? path.join(folder!, format === "html" ? "report.html" : `statistics.${format}`);
}

function besidePath({ folder, file }: OutPath, name: string): string {
  return file === undefined ? path.join(folder!, name) : `${file}.${name}`;
}

async function outPath(out: string | undefined, source: string): Promise<OutPath> {
  await checkOut(out, source);
  if (out === undefined) return { folder: undefined, file: undefined };
  const found = await stat(out).catch(() => undefined);
  const isFolder = /[/\\]$/.test(out) || (found?.isDirectory() ?? false);
  return isFolder ? { folder: out, file: undefined } : { folder: undefined, file: out };
}

/** As asked for; otherwise by the file's ending, all that fit into a folder, and CSV to print. */
function formatsOf(text: string | undefined, out: OutPath, hexagons: boolean): readonly ReleaseFormat[] {
  if (text === undefined) {
    if (out.folder !== undefined) return RELEASE_FORMATS.filter((format) => format !== "geojson" || hexagons);
    if (out.file === undefined) return ["csv"];
    const ending = out.file.toLowerCase();
    const known = RELEASE_FORMATS.find((format) => ending.endsWith(`.${format}`));
    if (known !== undefined) return [known];
    throw new VeilgridError(
      "USAGE",
      `--out ${quoteForMessage(out.file)} does not end in the name of a format; add --format ${RELEASE_FORMATS.join("|")}, or name a folder like results/`,
    );
  }
  return text.split(",").map((each) => {
    const known = RELEASE_FORMATS.find((format) => format === each.trim());
    if (known === undefined)
      throw new VeilgridError(
        "USAGE",
        `--format ${quoteForMessage(each)} is unknown; use ${RELEASE_FORMATS.join(", ")}`,
      );
    return known;
  });
}

export async function writeReleaseFiles(
  { formats, folder, file }: ReleaseWriting,
  released: { text: string; result: ReleaseResult; confidence: Rational },
  work: LongWorkOptions,
): Promise<ReleaseFile[]> {
  const renderers = await (await import("../../publish/report/index.ts")).releaseRenderers();
  const { result, confidence } = released;
  const textOf = {
    csv: () => renderers.releaseCsv(result, { confidence }),
    json: () => renderers.releaseJson(result, { confidence }),
    geojson: () => renderers.releaseGeoJson(result, { confidence }),
    html: () => renderers.releaseHtml(result, { confidence }),
  };
  if (folder === undefined && file === undefined) {
    const [format] = formats as readonly Exclude<ReleaseFormat, "parquet">[];
    return [{ what: format!, path: undefined, text: textOf[format!]() }];
  }
  if (folder !== undefined) await makeFolder(folder);
  const written: ReleaseFile[] = [];
  const write = async (what: ReleaseFile["what"], to: string, text: string): Promise<void> => {
    await writeFileWhole(to, [text], work.signal);
    written.push({ what, path: to });
  };
  for (const format of formats) {
    const to = formatPath({ folder, file }, format);
    if (format === "parquet") {
      const csv = renderers.exactReleaseCsv(result, { confidence });
      await writeParquet({ csv, columns: renderers.parquetColumns(result), to }, work);
      written.push({ what: format, path: to });
    } else await write(format, to, textOf[format]());
  }
  const texts = {
    statement: renderers.privacyStatement(result),
    "statement as JSON": renderers.privacyStatementJson(result),
    dictionary: renderers.dataDictionary(result, { confidence }),
    result: released.text,
  };
  for (const [what, name] of Object.entries(BESIDE) as Array<[keyof typeof BESIDE, string]>)
    await write(what, besidePath({ folder, file }, name), texts[what]);
  return written;
}

async function writeParquet(
  { csv, columns, to }: { csv: string; columns: ReadonlyArray<{ name: string; type: string }>; to: string },
  work: LongWorkOptions,
): Promise<void> {
  using folder = TemporaryFolder.make();
  const from = path.join(folder.path, "statistics.csv");
  await writeFile(from, csv).catch((error: unknown) => {
    throw noTemporaryFiles(error);
  });
  const made = path.join(folder.path, "statistics.parquet");
  await using engine = await openEmbeddedEngine();
  await engine.toParquet(from, made, { ...work, columns });
  await writeFileWhole(to, [await readFile(made)], work.signal);
}
