/** Text from anywhere made safe inside Markdown, also within a table. */
import { escapeControls } from "../../core/errors/index.ts";

export function escapeMarkdown(text: string): string {
  return escapeControls(text).replace(/[\\`*_{}[\]<>#|~&!]/g, (character) =>
    character === "<" ? "&lt;" : character === ">" ? "&gt;" : character === "&" ? "&amp;" : `\\${character}`,
  );
}

export function markdownTable(rows: ReadonlyArray<readonly string[]>): string {
  const [head, ...body] = rows.map((row) => `| ${row.map(escapeMarkdown).join(" | ")} |`);
  return [head, `|${" --- |".repeat(rows[0]!.length)}`, ...body].join("\n");
}
