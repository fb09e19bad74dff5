/** Makes docs/figures and the tables of docs/reproduction.md anew; with --check makes them elsewhere and says where they differ: `npm run figures`. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import { figureData } from "./figure-data.mjs";
import { withSentences, withTables } from "./figure-tables.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const committed = path.join(root, "docs", "figures");
const document = path.join(root, "docs", "reproduction.md");
/** Of the pixels of a picture; curves are drawn in floating point. */
const PIXELS_ALLOWED = 0.0001;

const check = process.argv.includes("--check");
let lastStep = "";
const made = mkdtempSync(path.join(tmpdir(), "veilgrid-figures-"));
try {
  const { reproduce } = await import("../dist/apps/operations/index.js");
  const { findingSentences } = await import("../dist/publish/report/reproduction.js");
  const { reproduction } = await reproduce({ what: "all" }, { out: made, onProgress: progress });
  writeFileSync(path.join(made, "figures.json"), figureData(reproduction, findingSentences));
  rmSync(path.join(made, "index.html"));
  const text = documentWith(reproduction.figures);
  if (check) compare(text);
  else replace(text);
} finally {
  rmSync(made, { recursive: true, force: true });
}

/** A line per step: it takes minutes. */
function progress({ step }) {
  if (step !== lastStep) console.error(`${step}…`);
  lastStep = step;
}

/** The document with the numbers and sentences of this run. */
function documentWith(figures) {
  const seenIn = (id) => figures.find((figure) => figure.id === id).seen;
  const csvOf = (id) => readFileSync(path.join(made, `${id}.csv`), "utf8");
  return withTables(withSentences(readFileSync(document, "utf8"), seenIn), csvOf);
}

function replace(text) {
  rmSync(committed, { recursive: true, force: true });
  cpSync(made, committed, { recursive: true });
  writeFileSync(document, text);
}

function compare(text) {
  const names = [...new Set([...readdirSync(made), ...readdirSync(committed)])].sort();
  const problems = names.flatMap((name) => {
    const [now, before] = [path.join(made, name), path.join(committed, name)];
    if (!existsSync(now)) return [`${name}: is no longer made`];
    if (!existsSync(before)) return [`${name}: is not in docs/figures`];
    const [left, right] = [readFileSync(now), readFileSync(before)];
    if (!name.endsWith(".png")) return left.equals(right) ? [] : [`${name}: differs`];
    return differentPixels(left, right) <= PIXELS_ALLOWED ? [] : [`${name}: looks different`];
  });
  if (text !== readFileSync(document, "utf8")) problems.push("reproduction.md: has other numbers or sentences");
  for (const problem of problems) console.error(problem);
  console.log(`${names.length} files of docs/figures made again, and docs/reproduction.md; ${problems.length} differ`);
  if (problems.length > 0) {
    console.error("make them anew with: npm run figures");
    process.exitCode = 1;
  }
}

/** Share of the pixels; all of them if the sizes differ. */
function differentPixels(left, right) {
  const [a, b] = [PNG.sync.read(left), PNG.sync.read(right)];
  if (a.width !== b.width || a.height !== b.height) return 1;
  return pixelmatch(a.data, b.data, undefined, a.width, a.height, { threshold: 0.1 }) / (a.width * a.height);
}
