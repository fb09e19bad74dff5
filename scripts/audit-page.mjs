/** Makes the tables and the picture of docs/audit.md from docs/images/audit.json, which `npx veilgrid audit --full --json` prints; with --check says where they differ. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { lineChart, PRINT_THEME } from "../dist/publish/charts/index.js";
import { fullAuditText } from "../dist/publish/report/index.js";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const file = (name) => path.join(root, "docs", name);
const audit = JSON.parse(readFileSync(file("images/audit.json"), "utf8"));

/** From the weakest claim to the strongest. */
const cases = [...audit.cases].sort((one, other) => one.claim - other.claim || one.atBest - other.atBest);
const lineOf = (key, line) => ({
  detail: "",
  dash: "solid",
  strong: false,
  markers: false,
  ...line,
  points: cases.map((one, at) => ({ x: at + 1, y: one[key] })),
});
const picture = `${lineChart(
  {
    id: "audit",
    title: "What an attacker could demonstrate of what is claimed",
    subtitle: `${cases.length} attacks, ${audit.runs.toLocaleString("en-US")} draws from each of two datasets`,
    x: { label: "attack, by its claim", scale: "linear" },
    y: { label: "privacy loss ε", scale: "linear" },
    lines: [
      lineOf("claim", { label: "claimed", colour: 0, strong: true }),
      lineOf("atBest", { label: "at best", colour: 1, dash: "dashed" }),
      lineOf("demonstrated", { label: "shown", colour: 2, markers: true }),
    ],
    regions: [],
    rules: [],
    note: "At best: what so many draws show on average. A point above the claim would refute it.",
  },
  PRINT_THEME,
)}\n`;

/** Of the printed text, everything before the planted mistakes, which have a command of their own. */
const [tables] = fullAuditText(audit).split("\nMistakes planted");
const page = readFileSync(file("audit.md"), "utf8");
const made = page.replace(
  /(<!-- full -->\n```\n)[\s\S]*?(```\n<!-- end -->)/,
  (_, before, after) => before + tables + after,
);

if (process.argv.includes("--check")) {
  const same = made === page && picture === readFileSync(file("images/audit.svg"), "utf8");
  if (!same)
    console.error(
      "docs/audit.md or docs/images/audit.svg is not what docs/images/audit.json gives: node scripts/audit-page.mjs",
    );
  process.exitCode = same ? 0 : 1;
} else {
  writeFileSync(file("audit.md"), made);
  writeFileSync(file("images/audit.svg"), picture);
}
