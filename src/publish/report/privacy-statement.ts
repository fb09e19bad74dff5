/** The privacy statement that lies beside every released file, as Markdown and as JSON. */
import type { ReleaseResult } from "../release/index.ts";
import { escapeMarkdown, markdownTable } from "./markdown.ts";
import { privacyFacts } from "./privacy-facts.ts";

export function privacyStatement(result: ReleaseResult): string {
  const facts = privacyFacts(result);
  const list = (sentences: readonly string[]): string =>
    sentences.map((sentence) => `- ${escapeMarkdown(sentence)}`).join("\n");
  return `${[
    ...(facts.warning === undefined ? [] : [`**${facts.warning}**`]),
    `# Privacy statement: ${escapeMarkdown(result.dataset)}`,
    `Privacy loss λ = ${facts.loss.exact}, rounded up ${facts.loss.roundedUp}.`,
    escapeMarkdown(facts.loss.inWords),
    escapeMarkdown(facts.loss.simpleInWords),
    "## What is protected",
    list(facts.protected),
    "## What is not protected",
    list(facts.notProtected),
    "## The promise, exactly",
    escapeMarkdown(facts.neighbours),
    "## How it was made",
    list(facts.method),
    "## This release",
    markdownTable([["", ""], ...Object.entries(facts.identity)]),
  ].join("\n\n")}\n`;
}

export function privacyStatementJson(result: ReleaseResult): string {
  return `${JSON.stringify(privacyFacts(result), null, 2)}\n`;
}
