/** The data dictionary as a section of the page. */
import { escapeMarkup } from "../../charts/index.ts";
import { dictionaryNote } from "../data-dictionary.ts";
import { releaseColumns } from "../release-columns.ts";
import type { View } from "./view.ts";

export function dictionarySection({ result, options }: View): string {
  const rows = releaseColumns(result, options).map(
    ({ name, meaning, unit, range }) =>
      `<tr><th scope="row"><code>${escapeMarkup(name)}</code></th><td class="wide">${escapeMarkup(meaning)}</td><td>${escapeMarkup(unit)}</td><td>${escapeMarkup(range)}</td></tr>`,
  );
  return `<section id="dictionary"><h2>Data dictionary</h2><p>${dictionaryNote(result)}</p>
<div class="scroller" tabindex="0" role="region" aria-label="Data dictionary"><table class="words"><thead><tr><th scope="col">column</th><th scope="col">meaning</th><th scope="col">unit</th><th scope="col">range</th></tr></thead><tbody>${rows.join("")}</tbody></table></div></section>`;
}
