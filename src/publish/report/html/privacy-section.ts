/** The privacy statement as a section of the page. */
import { escapeMarkup } from "../../charts/index.ts";
import { privacyFacts } from "../privacy-facts.ts";
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
