/** Renders a release as one HTML file that opens from disk: map, charts, table, trust, privacy. Nothing is loaded from elsewhere. */
import type { ReleaseResult } from "../release/index.ts";
import { chartSection } from "./html/chart-section.ts";
import { dictionarySection, privacySection, readingSection } from "./html/closing-sections.ts";
import { coverSection } from "./html/cover-section.ts";
import { pageMarkup } from "./html/page.ts";
import { tableSection } from "./html/table-section.ts";
import { trustSection } from "./html/trust-section.ts";
import { viewOf } from "./html/view.ts";
import { warningOf } from "./privacy-facts.ts";
import { type RowOptions, releaseTitle } from "./release-context.ts";

export function releaseHtml(result: ReleaseResult, options: RowOptions = {}): string {
  const view = viewOf(result, options);
  const warning = warningOf(result);
  const charts = chartSection(view);
  return pageMarkup({
    title: `${warning === undefined ? "" : `${warning} · `}${releaseTitle(result)}: published statistics`,
    tool: result.tool,
    script: PAGE_SCRIPT,
    body: `${warning === undefined ? "" : `<div class="banner" role="alert">${warning}. Do not publish this file.</div>`}
<main>
${coverSection(view)}
<nav aria-label="On this page">${charts === "" ? "" : '<a href="#charts">Charts</a>'}<a href="#table">All numbers</a><a href="#trust">How far can I trust this?</a><a href="#privacy">Privacy statement</a><a href="#reading">Reading the files</a><a href="#dictionary">Data dictionary</a></nav>
${[charts, tableSection(view), trustSection(view), privacySection(view), readingSection(view), dictionarySection(view)].join("\n")}
</main>`,
  });
}

/** Sorts tables, changes the map's layer, and shows a hexagon's numbers on touch. */
const PAGE_SCRIPT = `
document.documentElement.classList.add("scripted");
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const each of heads) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const numeric = head.classList.contains("number");
    const key = (row) => {
      const cell = row.cells[column];
      if (!numeric) return cell.textContent;
      return cell.dataset.order === "" ? null : Number(cell.dataset.order);
    };
    const rows = [...table.tBodies[0].rows].map((row) => [key(row), row]);
    rows.sort(([left], [right]) => {
      if (left === null || right === null) return (left === null) - (right === null);
      const order = left < right ? -1 : left > right ? 1 : 0;
      return down ? -order : order;
    });
    table.tBodies[0].append(...rows.map(([, row]) => row));
  }));
}
const layer = document.getElementById("layer");
const show = () => {
  for (const group of document.querySelectorAll("[data-layer]"))
    group.classList.toggle("vg-off", group.dataset.layer !== layer.value);
};
if (layer) { layer.addEventListener("change", show); show(); }
const chosen = document.getElementById("chosen");
document.querySelector(".vg-map svg")?.addEventListener("click", (event) => {
  const hexagon = event.target.closest(".vg-hex");
  if (!hexagon) return;
  for (const each of document.querySelectorAll(".vg-chosen")) each.classList.remove("vg-chosen");
  hexagon.classList.add("vg-chosen");
  chosen.textContent = hexagon.querySelector("title").textContent.split("\\n").join(" · ");
});
`;
