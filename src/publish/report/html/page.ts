/** Writes every page of ours: one file that opens from disk and can load nothing from elsewhere. */
import { sha256 } from "@noble/hashes/sha2.js";
import { escapeMarkup } from "../../charts/index.ts";
import { PAGE_STYLE } from "./page-style.ts";

export interface Page {
  readonly title: string;
  /** The program and its version. */
  readonly tool: string;
  /** Markup. */
  readonly body: string;
  /** The only one that may run; "" for none. */
  readonly script: string;
  /** Beside the common one. */
  readonly style?: string | undefined;
}

/** No script but the page's own, and no request at all, whatever an id may hold. */
export function pageMarkup({ title, tool, body, script, style = "" }: Page): string {
  const scripts = script === "" ? "" : ` script-src 'sha256-${base64(sha256(new TextEncoder().encode(script)))}';`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline';${scripts} base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="${escapeMarkup(tool)}">
<title>${escapeMarkup(title)}</title>
<style>${PAGE_STYLE}${style}</style>
</head>
<body>
${body}
${script === "" ? "" : `<script>${script}</script>\n`}</body>
</html>
`;
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** A table that scrolls sideways in its own box. */
export function scrolled(label: string, table: string): string {
  return `<div class="scroller" tabindex="0" role="region" aria-label="${label}">${table}</div>`;
}
