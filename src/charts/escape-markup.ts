/** Text from anywhere made safe inside HTML and SVG, between tags and in quoted attributes. */
import { escapeControls } from "../errors/index.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Control and bidirectional characters become visible escapes: they could reorder what stands around an id. */
export function escapeMarkup(text: string): string {
  return escapeControls(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
