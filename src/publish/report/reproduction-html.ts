/** Renders a reproduction as one page: every figure beside what the paper says and what we see, the numbers, and what was found. */
import { escapeMarkup, lineChart, PAGE_THEME } from "../charts/index.ts";
import { pageMarkup } from "./html/page.ts";
import { type Figure, type FigureColumn, type Findings, findingSentences, type Reproduction } from "./reproduction.ts";
import { formatNumber } from "./text-table.ts";

const STYLE = `
.paper-figure{margin-bottom:28px}
.drawing{overflow-x:auto}
.drawing svg{display:block;width:100%;min-width:620px;height:auto}
.beside{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,340px),1fr));gap:4px 24px;margin-top:12px;font-size:.95rem}
.beside h4{margin:0;font-size:.8rem;font-weight:600;letter-spacing:.02em;color:var(--ink-soft)}
.files{font-size:.85rem}
@media print{.drawing svg{min-width:0}.paper-figure{break-inside:avoid}.paper-figure details,nav{display:none}}
`;

export function reproductionHtml({ tool, command, figures, complete, findings }: Reproduction): string {
  const sets = (["paper", "beyond"] as const).filter((set) => figures.some((figure) => figure.set === set));
  return pageMarkup({
    title: "The paper's experiments, run again",
    tool,
    script: "",
    style: STYLE,
    body: `<main>
<header><div><h1>The paper's experiments, run again</h1>
<p class="lead">Rameshwar and Tandon, “On Improving the Composition Privacy Loss in Differential Privacy for Fixed Estimation Error”</p></div></header>
<p>Every number here was made by <code>${escapeMarkup(command)}</code>; the same command gives the same bytes. The paper prints no tables, so its figures can be compared by what it says about them, not digit by digit.</p>
${complete ? "" : "<p><strong>The paper's figures only: what it does not draw was still to come when this page was written.</strong></p>\n"}<nav aria-label="On this page">${sets.map((set) => `<a href="#${set}">${HEADINGS[set]}</a>`).join("")}<a href="#findings">Findings</a></nav>
${sets
  .map(
    (set) =>
      `<section id="${set}"><h2>${HEADINGS[set]}</h2>\n${figures
        .filter((figure) => figure.set === set)
        .map(figureMarkup)
        .join("\n")}</section>`,
  )
  .join("\n")}
<section id="findings"><h2>Findings</h2>
${findings.map(findingsMarkup).join("\n")}
</section>
</main>`,
  });
}

const HEADINGS = { paper: "The paper's figures", beyond: "What the paper does not draw" } as const;

function figureMarkup({ id, set, chart, columns, claim, seen }: Figure): string {
  return `<figure class="card paper-figure" id="${escapeMarkup(id)}">
<div class="drawing" tabindex="0" role="region" aria-label="${escapeMarkup(chart.title)}">${lineChart(chart, PAGE_THEME)}</div>
<div class="beside"><div><h4>${set === "paper" ? "The paper says, in our words" : "In the paper"}</h4><p>${escapeMarkup(claim)}</p></div><div><h4>What we see</h4><p>${escapeMarkup(seen)}</p></div></div>
<details><summary>Numbers</summary>${tableMarkup(columns)}</details>
<p class="files"><a href="${id}.svg">SVG</a> · <a href="${id}.png">PNG</a> · <a href="${id}.csv">CSV</a></p>
</figure>`;
}

function findingsMarkup(found: Findings): string {
  return `<h3>${escapeMarkup(found.name)}</h3>
<ul>${findingSentences(found)
    .map((sentence) => `<li>${escapeMarkup(sentence)}</li>`)
    .join("")}</ul>
<details><summary>Numbers${found.draws === 1 ? "" : `, mean of ${found.draws} draws`}</summary>${tableMarkup(found.columns)}</details>`;
}

function tableMarkup(columns: readonly FigureColumn[]): string {
  const rows = columns[0]?.values.map((epsilon, row) => {
    const cells = columns.slice(1).map(({ values }) => formatNumber(values[row] ?? null));
    return `<tr>${[epsilon, ...cells].map((cell) => `<td class="number">${cell}</td>`).join("")}</tr>`;
  });
  const heads = columns.map(
    ({ name }) => `<th scope="col" class="number">${escapeMarkup(name.replaceAll("_", " "))}</th>`,
  );
  return `<div class="scroller" tabindex="0"><table><thead><tr>${heads.join("")}</tr></thead><tbody>\n${rows?.join("\n")}\n</tbody></table></div>`;
}
