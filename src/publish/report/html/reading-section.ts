/** How to read the released files in Python, R and SQL, with this release's own column names. */
import { escapeMarkup } from "../../charts/index.ts";
import { releaseColumns } from "../release-columns.ts";
import type { View } from "./view.ts";

export function readingSection({ result, options, shape }: View): string {
  const columns = releaseColumns(result, options);
  const texts = columns.filter(({ type }) => type === "VARCHAR").map(({ name }) => name);
  const first = columns.find(({ type }) => type === "DOUBLE")!.name;
  const shown = ["grid", first, `${first}_low`, `${first}_high`];
  const quoted = shown.map((name) => JSON.stringify(name)).join(", ");
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
  const literal = (name: string): string => `'${name.replaceAll("'", "''")}'`;
  const sql = [
    `SELECT ${shown.map((name) => `"${name.replaceAll('"', '""')}"`).join(", ")}`,
    `FROM read_csv('statistics.csv', header = true, types = {${texts.map((name) => `${literal(name)}: 'VARCHAR'`).join(", ")}})`,
    `ORDER BY 2 DESC;`,
  ];
  return `<section id="reading"><h2>How to read these files</h2>
<p>The same numbers come as CSV, JSON, Parquet${shape.cell ? " and GeoJSON" : ""}. Ids are text, also where they look like numbers.</p>
${snippet("Python (pandas)", python)}${snippet("R", r)}${snippet("SQL (DuckDB)", sql)}</section>`;
}

function snippet(name: string, lines: readonly string[]): string {
  return `<h3>${name}</h3><pre tabindex="0"><code>${lines.map(escapeMarkup).join("\n")}</code></pre>`;
}
