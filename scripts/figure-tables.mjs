/** The tables of docs/reproduction.md, made from the numbers behind the figures, so that nobody copies digits by hand. */

/** ε that are shown, of those that a figure has. */
const SHOWN = new Set(["0.1", "0.2", "0.5", "1", "2", "5", "10", "20"]);
const NUMBERS = /(<!-- numbers: ([\w-]+) -->\n)[\s\S]*?(<!-- \/numbers -->)/g;
const SEEN = /(<!-- seen: ([\w-]+) -->\n)[\s\S]*?(<!-- \/seen -->)/g;

/** The document with every block `<!-- numbers: ID -->` filled from the CSV `csvOf(ID)`. */
export function withTables(markdown, csvOf) {
  return markdown.replace(NUMBERS, (_, open, id, close) => `${open}${table(csvOf(id))}${close}`);
}

/** The document with every block `<!-- seen: ID -->` filled with the sentences `seenIn(ID)`. */
export function withSentences(markdown, seenIn) {
  return markdown.replace(SEEN, (_, open, id, close) => `${open}${seenIn(id)}\n${close}`);
}

/** Which figures' numbers a document shows. */
export function tablesIn(markdown) {
  return [...markdown.matchAll(NUMBERS)].map((match) => match[2]);
}

function table(csv) {
  const [header, ...rows] = csv
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
  const epsilon = header.indexOf("epsilon");
  const columns = merged(header);
  const cells = rows
    .filter((row) => SHOWN.has(row[epsilon]))
    .map((row) => columns.map(({ at }) => at.map((index) => shown(row[index]))))
    .map((row) =>
      row.map(([mean, low, high]) => (low === undefined ? mean : mean === "–" ? "–" : `${mean} (${low} … ${high})`)),
    );
  return [columns.map(({ name }) => name), columns.map(() => "---"), ...cells]
    .map((row) => `| ${row.join(" | ")} |\n`)
    .join("");
}

/** `loss_mean`, `loss_min` and `loss_max` become one column `loss`. */
function merged(header) {
  return header.flatMap((name, index) => {
    if (/_(min|max)$/.test(name)) return [];
    const stem = name.replace(/_mean$/, "");
    const several = stem === name ? [] : [header.indexOf(`${stem}_min`), header.indexOf(`${stem}_max`)];
    return [{ name: stem.replace("epsilon", "ε").replaceAll("_", " "), at: [index, ...several] }];
  });
}

/** Four digits; names as they are. */
function shown(cell) {
  if (cell === "") return "–";
  if (Number.isNaN(Number(cell))) return cell;
  return Number(Number(cell).toPrecision(4)).toLocaleString("en-US", { maximumSignificantDigits: 4 });
}
