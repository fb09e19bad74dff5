/** Reproduce: the paper's experiments from drawing the data to figures, tables and a page; the paper's own figures first. */

import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { escapeControls, itemAt, VeilgridError } from "../../core/errors/index.ts";
import { type Occupancy, occupancyCsvChunks } from "../../core/occupancy/index.ts";
import type { RecordsOptions } from "../../core/options/index.ts";
import type { LongWorkOptions } from "../../core/planning/index.ts";
import { TemporaryFolder } from "../../data/sources/index.ts";
import {
  beyondFigures,
  beyondTasks,
  findingsOf,
  GAMMAS,
  paperFigures,
  paperTasks,
  type StudyOutline,
  studyOf,
  syntheticOutlines,
  type TaskResult,
} from "../../evidence/experiments/index.ts";
import { lineChart, PRINT_THEME } from "../../publish/charts/index.ts";
import {
  columnsCsv,
  type Figure,
  type Findings,
  plural,
  type Reproduction,
  reproductionPage,
  type SubjectName,
} from "../../publish/report/index.ts";
import { isOccupancyFile } from "./first-look.ts";
import { boundsOf } from "./plan.ts";
import { readSource, type SourceReading, wantsRecords } from "./read-source.ts";
import { pngRenderer } from "./render-png.ts";
import { runTasks } from "./run-tasks.ts";
import { simulateCity } from "./simulate.ts";
import { toolVersion } from "./tool-version.ts";
import { checkOut, checkTargets, makeFolder, writeFileWhole } from "./write-file.ts";

export interface ReproduceOptions {
  readonly what: "all" | "synthetic" | "city";
  /** The paper's own figures only, or also what it does not draw. */
  readonly figures?: "paper" | "all" | undefined;
  readonly seed?: number | undefined;
  readonly draws?: number | undefined;
  /** Threads; all cores if unset. The result does not depend on it. */
  readonly workers?: number | undefined;
  /** Records of a real city instead of the simulated one. */
  readonly city?: CityRecords | undefined;
  /** What makes the same again, for the page. */
  readonly command?: string | undefined;
}

export interface CityRecords {
  readonly file: string;
  readonly source: RecordsOptions;
  readonly bounds?: string | undefined;
  readonly upper?: string | undefined;
  readonly unit?: string | undefined;
}

export interface ReproduceRunOptions extends LongWorkOptions {
  readonly out: string;
  /** Called when the paper's figures are written and the others are still to come. */
  readonly onPaperFigures?: (() => void) | undefined;
}

export interface ReproduceResult {
  readonly reproduction: Reproduction;
  readonly files: readonly string[];
  /** What was noticed while reading real records. */
  readonly reading: Omit<SourceReading, "occupancy"> | null;
}

/** The paper's range of speeds, km/h. */
const PAPER_UPPER = "65";
const MOST_DRAWS = 1000;
const MOST_WORKERS = 64;

export async function reproduce(options: ReproduceOptions, work: ReproduceRunOptions): Promise<ReproduceResult> {
  const { what, figures = "all", command = `npx veilgrid reproduce ${what}` } = options;
  const workers = whole("--workers", options.workers ?? availableParallelism(), 1, MOST_WORKERS);
  const seed = whole("--seed", options.seed ?? 1, 0, Number.MAX_SAFE_INTEGER - MOST_DRAWS);
  const draws = whole("--draws", options.draws ?? 10, 1, MOST_DRAWS);
  const subjects: SubjectName[] = [
    ...(what === "synthetic" ? [] : ["city" as const]),
    ...(what === "city" ? [] : GAMMAS.map((gamma) => `gamma-${gamma}` as const)),
  ];
  await checkOut(work.out);
  const inUse = options.city === undefined ? [] : [options.city.file];
  await checkTargets(reproductionTargets(work.out, subjects), { folder: work.out, inUse });
  const city = what === "synthetic" ? undefined : await cityOutline(options.city, seed, work);
  const outlines = [
    ...(city === undefined ? [] : [city.outline]),
    ...(what === "city" ? [] : syntheticOutlines({ seed, draws })),
  ];

  const run = async (tasksOf: typeof paperTasks, step: string): Promise<TaskResult[][]> => {
    const results = await runTasks(outlines.flatMap(tasksOf), { ...work, workers, step });
    return outlines.map(({ arrays }) => results.splice(0, arrays.length));
  };
  const paper = await run(paperTasks, "the paper's figures");
  const studies = outlines.map((outline, index) => studyOf(outline, itemAt(paper, index), []));
  const first: Reproduction = {
    tool: toolVersion(),
    command,
    figures: studies.flatMap(paperFigures),
    complete: figures === "paper",
    findings: studies.map(findingsOf),
  };
  for (const file of city?.reading?.records?.files ?? []) inUse.push(file);
  await checkTargets(reproductionTargets(work.out, subjects), { folder: work.out, inUse });
  await makeFolder(work.out);
  const files = [
    ...(await writeFigures(work.out, first.figures, work)),
    await writeFindings(work.out, first.findings, work),
    await writePage(work.out, first, work),
  ];
  const reading = city?.reading ?? null;
  if (figures === "paper") return { reproduction: first, files, reading };

  work.onPaperFigures?.();
  const beyond = await run(beyondTasks, "beyond the paper");
  const wider = outlines.flatMap((outline, index) =>
    beyondFigures(studyOf(outline, itemAt(paper, index), itemAt(beyond, index))),
  );
  const reproduction = { ...first, figures: [...first.figures, ...wider], complete: true };
  files.push(...(await writeFigures(work.out, wider, work)));
  await writePage(work.out, reproduction, work);
  return { reproduction, files, reading };
}

interface CityOutline extends Pick<ReproduceResult, "reading"> {
  readonly outline: StudyOutline;
}

/** Records, hexagons, the hour from nine to ten, the 50 busiest. */
async function cityOutline(
  records: CityRecords | undefined,
  seed: number,
  work: LongWorkOptions,
): Promise<CityOutline> {
  if (records !== undefined) return realCity(records, work);
  using folder = TemporaryFolder.make();
  const file = join(folder.path, "city.csv");
  await simulateCity({ seed, preset: "paper" }, { ...work, out: file });
  const { occupancy } = await readSource(file, { ...SIMULATED_COLUMNS, ...PAPER_GRIDS }, work);
  return {
    outline: outlineOf(occupancy, {
      name: "city buses",
      from: `simulated city, seed ${seed}, 9 to 10 h`,
      bounds: `0,${PAPER_UPPER}`,
      unit: "km/h",
    }),
    reading: null,
  };
}

const SIMULATED_COLUMNS: RecordsOptions = {
  user: "vehicle_id",
  value: "speed",
  lat: "latitude",
  lon: "longitude",
  time: "timestamp",
  tz: "+05:30",
};
const PAPER_GRIDS = { h3: "8", slot: "1h", hours: "9-10", top: "50" } as const;

async function realCity(
  { file, source, bounds, upper, unit }: CityRecords,
  work: LongWorkOptions,
): Promise<CityOutline> {
  if (bounds !== undefined || upper !== undefined) boundsOf({ bounds, upper });
  if (!wantsRecords(source) && !(await isOccupancyFile(file)))
    throw new VeilgridError(
      "USAGE",
      "--records needs to be told what the columns are: --user, --value, --lat, --lon, --time; 'veilgrid survey FILE' guesses them",
    );
  const asked = wantsRecords(source) ? withPaperGrids(source) : source;
  const { occupancy, ...reading } = await readSource(file, asked, work);
  const range = bounds ?? `0,${upper ?? PAPER_UPPER}`;
  return {
    outline: outlineOf(occupancy, {
      name: "city",
      from: escapeControls([basename(file), ...howCut(asked)].join(", ")),
      bounds: range,
      unit: escapeControls(unit ?? ""),
    }),
    reading,
  };
}

/** What a reader of the figures must know of the grids. */
function howCut({ cell, h3, slot, hours, top }: RecordsOptions): string[] {
  return [
    ...(h3 === undefined ? (cell === undefined ? [] : ["H3 cells as stored"]) : [`H3 ${h3}`]),
    ...(slot === undefined ? [] : [`slots of ${slot}`]),
    ...(hours === undefined ? [] : [`hours ${hours}`]),
    ...(top === undefined ? [] : [`the ${top} busiest`]),
  ];
}

/** What is not said is as in the paper, as far as there are columns for it. */
function withPaperGrids(source: RecordsOptions): RecordsOptions {
  const { h3, slot, hours, top } = PAPER_GRIDS;
  const placed = source.lat !== undefined || source.lon !== undefined || source.point !== undefined;
  const timed = source.time !== undefined;
  return {
    ...source,
    h3: source.h3 ?? (placed ? h3 : undefined),
    slot: source.slot ?? (timed ? slot : undefined),
    hours: source.hours ?? (timed ? hours : undefined),
    top: source.top ?? top,
  };
}

function outlineOf(
  occupancy: Occupancy,
  { from, ...told }: Pick<StudyOutline, "name" | "bounds" | "unit"> & { readonly from: string },
): StudyOutline {
  return {
    subject: "city",
    ...told,
    about: `${from}: ${plural(occupancy.users.length, "user")} in ${plural(occupancy.grids.length, "grid")}, ${plural(occupancy.samples, "record")}`,
    arrays: [{ csv: Buffer.concat([...occupancyCsvChunks(occupancy)]) }],
    protectLowest: false,
  };
}

function whole(flag: string, value: number, least: number, most: number): number {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new VeilgridError("PARAMETER_INVALID", `${flag} ${value} must be a whole number from ${least} to ${most}`);
  return value;
}

/** Sharp on paper at the width of a column. */
const PNG_SCALE = 2;

const ENDINGS = ["svg", "png", "csv"] as const;
const PAGE = "index.html";
const FINDINGS = "findings.csv";

/** Every file that may be written, to be looked at before any work. */
function reproductionTargets(folder: string, subjects: readonly SubjectName[]): string[] {
  const ids = subjects.flatMap((subject) =>
    ["paper", "beyond"].flatMap((set) => ["loss", "error"].map((kind) => `${set}-${kind}-${subject}`)),
  );
  const names = [...ids.flatMap((id) => ENDINGS.map((ending) => `${id}.${ending}`)), FINDINGS, PAGE];
  return names.map((name) => join(folder, name));
}

async function writeFigures(folder: string, figures: readonly Figure[], options: LongWorkOptions): Promise<string[]> {
  const toPng = await pngRenderer();
  const files: string[] = [];
  for (const [index, { id, chart, columns }] of figures.entries()) {
    options.onProgress?.({ step: "drawing figures", done: index, of: figures.length });
    const svg = lineChart(chart, PRINT_THEME);
    const contents = { svg: `${svg}\n`, png: toPng(svg, { scale: PNG_SCALE }), csv: columnsCsv(columns) };
    for (const ending of ENDINGS) {
      const file = join(folder, `${id}.${ending}`);
      await writeFileWhole(file, [contents[ending]], options.signal);
      files.push(file);
    }
  }
  return files;
}

/** All subjects in one table. */
async function writeFindings(folder: string, findings: readonly Findings[], options: LongWorkOptions): Promise<string> {
  const [header] = columnsCsv(itemAt(findings, 0).columns).split("\n");
  const rows = findings.flatMap(({ subject, columns }) =>
    columnsCsv(columns)
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((row) => `${subject},${row}`),
  );
  const file = join(folder, FINDINGS);
  await writeFileWhole(file, [`${[`subject,${header}`, ...rows].join("\n")}\n`], options.signal);
  return file;
}

async function writePage(folder: string, reproduction: Reproduction, options: LongWorkOptions): Promise<string> {
  const file = join(folder, PAGE);
  await writeFileWhole(file, [await reproductionPage(reproduction)], options.signal);
  return file;
}
