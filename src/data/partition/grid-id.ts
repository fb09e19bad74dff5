/** Grid ids: parts joined by `/`, readable as they stand and reversible. */
import { invariant, quoteForMessage, VeilgridError } from "../../core/errors/index.ts";

/** A part without a value. No encoded text can look like it: its `%` would be `%25`. */
const NULL_PART = "%null";

/** `%` and `/` percent-encoded; null is `%null`. */
export function encodePart(part: string | null): string {
  return part === null ? NULL_PART : part.replaceAll("%", "%25").replaceAll("/", "%2F");
}

export function decodePart(part: string): string | null {
  return part === NULL_PART ? null : part.replaceAll("%2F", "/").replaceAll("%25", "%");
}

export function gridId(parts: ReadonlyArray<string | null>): string {
  return parts.map(encodePart).join("/");
}

export interface GridParts {
  readonly columns: ReadonlyArray<string | null>;
  /** Undefined where the partition has none. */
  readonly cell: string | null | undefined;
  readonly slot: string | null | undefined;
}

export function parseGridId(id: string, shape: { columns: number; cell: boolean; slot: boolean }): GridParts {
  const parts = id.split("/").map(decodePart);
  if (parts.length !== shape.columns + Number(shape.cell) + Number(shape.slot)) {
    throw new VeilgridError("INPUT_MALFORMED", `grid ${quoteForMessage(id)} is not an id of this partition`);
  }
  invariant(parts.length > 0, "a grid id without parts");
  return {
    columns: parts.slice(0, shape.columns),
    cell: shape.cell ? parts[shape.columns] : undefined,
    slot: shape.slot ? parts.at(-1) : undefined,
  };
}
