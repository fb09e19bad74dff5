/** The files of a reproduction: each figure as SVG, PNG and CSV, the findings, the page. */
import { join } from "node:path";
import type { LongWorkOptions } from "../../core/planning/index.ts";
import { lineChart, PRINT_THEME } from "../../publish/charts/index.ts";
import {
  columnsCsv,
  type Figure,
  type Findings,
  type Reproduction,
  reproductionPage,
  type SubjectName,
} from "../../publish/report/index.ts";
import { pngRenderer } from "./render-png.ts";
import { writeFileWhole } from "./write-file.ts";

/** Sharp on paper at the width of a column. */
const PNG_SCALE = 2;

const ENDINGS = ["svg", "png", "csv"] as const;
const PAGE = "index.html";
const FINDINGS = "findings.csv";

/** Every file that may be written, to be looked at before any work. */
export function reproductionTargets(folder: string, subjects: readonly SubjectName[]): string[] {
  const ids = subjects.flatMap((subject) =>
    ["paper", "beyond"].flatMap((set) => ["loss", "error"].map((kind) => `${set}-${kind}-${subject}`)),
  );
  const names = [...ids.flatMap((id) => ENDINGS.map((ending) => `${id}.${ending}`)), FINDINGS, PAGE];
  return names.map((name) => join(folder, name));
}

export async function writeFigures(
  folder: string,
  figures: readonly Figure[],
  options: LongWorkOptions,
): Promise<string[]> {
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
export async function writeFindings(
  folder: string,
  findings: readonly Findings[],
  options: LongWorkOptions,
): Promise<string> {
  const [header] = columnsCsv(findings[0]!.columns).split("\n");
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

export async function writePage(folder: string, reproduction: Reproduction, options: LongWorkOptions): Promise<string> {
  const file = join(folder, PAGE);
  await writeFileWhole(file, [await reproductionPage(reproduction)], options.signal);
  return file;
}
