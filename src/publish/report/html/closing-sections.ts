/** Renders the sections that close the page: privacy statement, how to read the files, data dictionary. */
import { escapeMarkup } from "../../charts/index.ts";
import { privacyFacts } from "../privacy-facts.ts";
import { columnsOf } from "../release-columns.ts";
import { dictionaryNote } from "../release-markdown.ts";
import { scrolled } from "./page.ts";
import type { View } from "./view.ts";

export function privacySection({ result }: View): string {
  const facts = privacyFacts(result);
  const list = (sentences: readonly string[]): string =>
    `<ul>${sentences.map((sentence) => `<li>${escapeMarkup(sentence)}</li>`).join("")}</ul>`;
  return `<section id="privacy"><h2>Privacy statement</h2>
<p class="lead">Privacy loss λ = ${escapeMarkup(facts.loss.roundedUp)} (rounded up). ${escapeMarkup(facts.loss.inWords)}</p>
<div class="columns"><div class="card"><h3>Protected</h3>${list(facts.protected)}</div><div class="card"><h3>Not protected</h3>${list(facts.notProtected)}</div></div>
<h3>The promise, exactly</h3><p>${escapeMarkup(facts.neighbours)}</p><p>${escapeMarkup(facts.loss.simpleInWords)}</p>
<h3>How it was made</h3>${list(facts.method)}
<h3>This release</h3><dl class="identity">${Object.entries(facts.identity)
    .map(([name, text]) => `<dt>${escapeMarkup(name)}</dt><dd><bdi>${escapeMarkup(text)}</bdi></dd>`)
    .join("")}</dl></section>`;
}

/** In Python, R and SQL, with this release's own column names. */
export function readingSection(view: View): string {
  const { shape } = view;
  const columns = columnsOf(view);
  const texts = columns.filter(({ type }) => type === "VARCHAR").map(({ name }) => name);
  const first = columns.find(({ type }) => type === "DOUBLE")?.name ?? "";
  const shown = ["grid", first, `${first}_low`, `${first}_high`];
  const quoted = shown.map((name) => JSON.stringify(name)).join(", ");
  const sqlText = (name: string): string => `'${name.replaceAll("'", "''")}'`;
  const python = [
    "import pandas as pd",
    `rows = pd.read_csv("statistics.csv", dtype={${texts.map((name) => `${JSON.stringify(name)}: str`).join(", ")}}, keep_default_na=False, na_values=[""])`,
    `print(rows[[${quoted}]])`,
    ...(shape.cell
      ? ["", "import geopandas as gpd", `gpd.read_file("statistics.geojson").plot(${JSON.stringify(first)})`]
      : []),
  ];
  const r = [
    `rows <- read.csv("statistics.csv", check.names = FALSE, na.strings = "",`,
    `  colClasses = c(${texts.map((name) => `${JSON.stringify(name)} = "character"`).join(", ")}))`,
    `rows[, c(${quoted})]`,
  ];
  const sql = [
    `SELECT ${shown.map((name) => `"${name.replaceAll('"', '""')}"`).join(", ")}`,
    `FROM read_csv('statistics.csv', header = true, types = {${texts.map((name) => `${sqlText(name)}: 'VARCHAR'`).join(", ")}})`,
    `ORDER BY 2 DESC;`,
  ];
  const snippet = (name: string, lines: readonly string[]): string =>
    `<h3>${name}</h3><pre tabindex="0"><code>${lines.map(escapeMarkup).join("\n")}</code></pre>`;
  return `<section id="reading"><h2>How to read these files</h2>
<p>The same numbers come as CSV, JSON, Parquet${shape.cell ? " and GeoJSON" : ""}. Ids are text, also where they look like numbers.</p>
${snippet("Python (pandas)", python)}${snippet("R", r)}${snippet("SQL (DuckDB)", sql)}</section>`;
}

export function dictionarySection(view: View): string {
  const rows = columnsOf(view).map(
    ({ name, meaning, unit, range }) =>
      `<tr><th scope="row"><code>${escapeMarkup(name)}</code></th><td class="wide">${escapeMarkup(meaning)}</td><td>${escapeMarkup(unit)}</td><td>${escapeMarkup(range)}</td></tr>`,
  );
  return `<section id="dictionary"><h2>Data dictionary</h2><p>${dictionaryNote(view.result)}</p>
${scrolled("Data dictionary", `<table class="words"><thead><tr><th scope="col">column</th><th scope="col">meaning</th><th scope="col">unit</th><th scope="col">range</th></tr></thead><tbody>${rows.join("")}</tbody></table>`)}</section>`;
}
