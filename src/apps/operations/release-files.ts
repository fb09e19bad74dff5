/** The files of a release: which, where, and written from the committed result alone. */
import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { Rational } from "../../core/arithmetic/index.ts";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { type Decimal, exactDecimal } from "../../core/options/index.ts";
import type { LongWorkOptions, Plan } from "../../core/planning/index.ts";
import { partitionDepth, readRecipe } from "../../data/partition/index.ts";
import { noTemporaryFiles, TemporaryFolder } from "../../data/sources/index.ts";
import type { ReleaseResult } from "../../publish/release/index.ts";
import { openEmbeddedEngine } from "./read-source.ts";
import { checkOut, checkTargets, makeFolder, writeFileWhole } from "./write-file.ts";

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
  plan: Pick<Plan, "partition">,
  source?: string,
): Promise<ReleaseWriting> {
  const out = await outPath(options.out, source);
  const hexagons = hasHexagons(plan);
  const formats = formatsOf(options.format, out, hexagons);
  if (formats.includes("geojson") && !hexagons) throw noHexagons();
  if (out.folder === undefined && formats.length > 1)
    throw new VeilgridError("USAGE", "several formats need a folder; write --out like results/");
  if (out.folder === undefined && out.file === undefined && formats[0] === "parquet")
    throw new VeilgridError("USAGE", "--format parquet needs --out: it is no text to print");
  return { formats, ...out };
}

function hasHexagons({ partition }: Pick<Plan, "partition">): boolean {
  return partition !== null && partitionDepth(readRecipe(partition)).cell;
}

function noHexagons(): VeilgridError {
  return new VeilgridError("USAGE", "--format geojson needs hexagons; this plan's grids have none");
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

async function outPath(out: string | undefined, source: string | undefined): Promise<OutPath> {
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

/** Texts that are made of a result. */
export type RenderFormat = Exclude<ReleaseFormat, "parquet"> | "statement" | "statement as JSON" | "dictionary";

export interface RenderOptions {
  /** Of the intervals; 0.95 if absent. */
  readonly confidence?: Decimal | undefined;
}

/** A result as text. */
export async function render(
  result: ReleaseResult,
  format: RenderFormat,
  { confidence = "0.95" }: RenderOptions = {},
): Promise<string> {
  if (format === "geojson" && !hasHexagons(result)) throw noHexagons();
  const texts = await textsOf(result, confidenceOf(confidence));
  if (!Object.hasOwn(texts, format))
    throw new VeilgridError(
      "USAGE",
      `format ${quoteForMessage(String(format))} is unknown; use csv, json, geojson or html`,
    );
  return texts[format]();
}

/** Writes a result into a folder, in every format that fits it, or into a file by its ending; gives back what was written. */
export async function writeRelease(
  { text, result }: { readonly text: string; readonly result: ReleaseResult },
  out: string,
  options: RenderOptions & LongWorkOptions & { readonly format?: string | undefined } = {},
): Promise<ReleaseFile[]> {
  const confidence = confidenceOf(options.confidence ?? "0.95");
  const writing = await releaseFiles({ out, format: options.format }, result);
  await checkTargets(targetsOf(writing), { ...writing, inUse: [] });
  return writeReleaseFiles(writing, { text, result, confidence }, options);
}

export function confidenceOf(given: Decimal): Rational {
  const confidence = exactDecimal(given, "--confidence");
  if (confidence.sign() <= 0 || confidence.compare(Rational.ONE) >= 0)
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--confidence ${quoteForMessage(String(given))} must lie between 0 and 1`,
    );
  return confidence;
}

async function textsOf(result: ReleaseResult, confidence: Rational): Promise<Record<RenderFormat, () => string>> {
  const renderers = await (await import("../../publish/report/index.ts")).releaseRenderers();
  return {
    csv: () => renderers.releaseCsv(result, { confidence }),
    json: () => renderers.releaseJson(result, { confidence }),
    geojson: () => renderers.releaseGeoJson(result, { confidence }),
    html: () => renderers.releaseHtml(result, { confidence }),
    statement: () => renderers.privacyStatement(result),
    "statement as JSON": () => renderers.privacyStatementJson(result),
    dictionary: () => renderers.dataDictionary(result, { confidence }),
  };
}

export async function writeReleaseFiles(
  { formats, folder, file }: ReleaseWriting,
  released: { text: string; result: ReleaseResult; confidence: Rational },
  work: LongWorkOptions,
): Promise<ReleaseFile[]> {
  const { result, confidence } = released;
  const texts = await textsOf(result, confidence);
  if (folder === undefined && file === undefined) {
    const [format] = formats as readonly Exclude<ReleaseFormat, "parquet">[];
    return [{ what: format!, path: undefined, text: texts[format!]() }];
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
      const { exactReleaseCsv, parquetColumns } = await (
        await import("../../publish/report/index.ts")
      ).releaseRenderers();
      const csv = exactReleaseCsv(result, { confidence });
      await writeParquet({ csv, columns: parquetColumns(result), to }, work);
      written.push({ what: format, path: to });
    } else await write(format, to, texts[format]());
  }
  for (const [what, name] of Object.entries(BESIDE) as Array<[keyof typeof BESIDE, string]>)
    await write(what, besidePath({ folder, file }, name), what === "result" ? released.text : texts[what]());
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
