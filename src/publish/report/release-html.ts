/** A release as one HTML file that opens from disk: map, charts, table, trust, privacy. Nothing is loaded from elsewhere. */
import type { ReleaseResult } from "../release/index.ts";
import { chartSection } from "./html/chart-section.ts";
import { coverSection } from "./html/cover-section.ts";
import { dictionarySection } from "./html/dictionary-section.ts";
import { pageMarkup } from "./html/page.ts";
import { PAGE_SCRIPT } from "./html/page-script.ts";
import { privacySection } from "./html/privacy-section.ts";
import { readingSection } from "./html/reading-section.ts";
import { tableSection } from "./html/table-section.ts";
import { trustSection } from "./html/trust-section.ts";
import { viewOf } from "./html/view.ts";
import { warningOf } from "./not-private.ts";
import type { RowOptions } from "./released-rows.ts";

export function releaseHtml(result: ReleaseResult, options: RowOptions = {}): string {
  const view = viewOf(result, options);
  const warning = warningOf(result);
  const charts = chartSection(view);
  return pageMarkup({
    title: `${warning === undefined ? "" : `${warning} · `}${result.dataset}: published statistics`,
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
