/** Makes docs/figures and the tables of docs/reproduction.md anew; with --check makes them elsewhere and says where they differ: `npm run figures`. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import { withTables } from "./figure-tables.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const figures = path.join(root, "docs", "figures");
const document = path.join(root, "docs", "reproduction.md");
/** Of the pixels of a picture; curves are drawn in floating point. */
const PIXELS_ALLOWED = 0.001;

const check = process.argv.includes("--check");
const made = mkdtempSync(path.join(tmpdir(), "veilgrid-figures-"));
try {
  const program = path.join(root, "dist", "cli", "main.js");
  const { status } = spawnSync(process.execPath, [program, "reproduce", "all", "--out", made], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
  rmSync(path.join(made, "index.html"));
  if (check) compare();
  else replace();
} finally {
  rmSync(made, { recursive: true, force: true });
}

function replace() {
  rmSync(figures, { recursive: true, force: true });
  cpSync(made, figures, { recursive: true });
  if (!existsSync(document)) return;
  const csvOf = (id) => readFileSync(path.join(figures, `${id}.csv`), "utf8");
  writeFileSync(document, withTables(readFileSync(document, "utf8"), csvOf));
}

function compare() {
  const names = [...new Set([...readdirSync(made), ...readdirSync(figures)])].sort();
  const problems = names.flatMap((name) => {
    const [now, committed] = [path.join(made, name), path.join(figures, name)];
    if (!existsSync(now)) return [`${name}: is no longer made`];
    if (!existsSync(committed)) return [`${name}: is not in docs/figures`];
    const [left, right] = [readFileSync(now), readFileSync(committed)];
    if (!name.endsWith(".png")) return left.equals(right) ? [] : [`${name}: differs`];
    return differentPixels(left, right) <= PIXELS_ALLOWED ? [] : [`${name}: looks different`];
  });
  for (const problem of problems) console.error(problem);
  console.log(`${names.length} files of docs/figures made again, ${problems.length} differ`);
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
