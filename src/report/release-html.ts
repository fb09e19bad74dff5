/** A release as one HTML file that opens from disk: map, charts, table, trust, privacy. Nothing is loaded from elsewhere. */
import { sha256 } from "@noble/hashes/sha2.js";
import { escapeMarkup } from "../charts/index.ts";
import type { ReleaseResult } from "../release/index.ts";
import { chartSection } from "./html/chart-section.ts";
import { coverSection } from "./html/cover-section.ts";
import { dictionarySection } from "./html/dictionary-section.ts";
import { PAGE_SCRIPT } from "./html/page-script.ts";
import { PAGE_STYLE } from "./html/page-style.ts";
import { privacySection } from "./html/privacy-section.ts";
import { readingSection } from "./html/reading-section.ts";
import { tableSection } from "./html/table-section.ts";
import { trustSection } from "./html/trust-section.ts";
import { viewOf } from "./html/view.ts";
import { warningOf } from "./not-private.ts";
import type { RowOptions } from "./released-rows.ts";

/** No script but this one, and no request at all, whatever an id may hold. */
const POLICY = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${base64(sha256(new TextEncoder().encode(PAGE_SCRIPT)))}'; base-uri 'none'; form-action 'none'`;

export function releaseHtml(result: ReleaseResult, options: RowOptions = {}): string {
  const view = viewOf(result, options);
  const warning = warningOf(result);
  const title = `${warning === undefined ? "" : `${warning} · `}${result.dataset}: published statistics`;
  const charts = chartSection(view);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="${escapeMarkup(result.tool)}">
<title>${escapeMarkup(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
${warning === undefined ? "" : `<div class="banner" role="alert">${warning}. Do not publish this file.</div>`}
<main>
${coverSection(view)}
<nav aria-label="On this page">${charts === "" ? "" : '<a href="#charts">Charts</a>'}<a href="#table">All numbers</a><a href="#trust">How far can I trust this?</a><a href="#privacy">Privacy statement</a><a href="#reading">Reading the files</a><a href="#dictionary">Data dictionary</a></nav>
${[charts, tableSection(view), trustSection(view), privacySection(view), readingSection(view), dictionarySection(view)].join("\n")}
</main>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
