/** The first objects of a JSON file, from its beginning alone. */
import { type FieldPaths, flatten } from "./description.ts";
import { SAMPLE_ROWS, type Sample } from "./sample.ts";

export interface JsonHead {
  readonly rows: Array<Record<string, Sample>>;
  readonly paths: FieldPaths;
}

/** Objects that stand whole in `text`; a cut one at the end is left out. */
export function readJsonHead(text: string): JsonHead {
  const rows: Array<Record<string, Sample>> = [];
  const paths = new Map<string, readonly string[]>();
  let at = text.indexOf("{");
  while (at >= 0 && rows.length < SAMPLE_ROWS) {
    const end = endOfObject(text, at);
    if (end < 0) break;
    try {
      rows.push(flatten(JSON.parse(text.slice(at, end)) as Record<string, unknown>, paths));
    } catch {
      break; // the engine will say where
    }
    at = text.indexOf("{", end);
  }
  return { rows, paths };
}

function endOfObject(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === "\\") at += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}
