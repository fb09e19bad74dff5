/** Text from anywhere made safe inside HTML and SVG, between tags and in quoted attributes. */
import { escapeControls } from "../../core/errors/index.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  // No part of XML: one of them would make the whole picture unreadable.
  "\ufffe": "\\ufffe",
  "\uffff": "\\uffff",
};

/** Control and bidirectional characters become visible escapes: they could reorder what stands around an id. */
export function escapeMarkup(text: string): string {
  return escapeControls(text).replace(/[&<>"'\ufffe\uffff]/g, (character) => ENTITIES[character]!);
}
