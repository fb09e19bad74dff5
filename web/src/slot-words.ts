/** Writes time slots in words. */
import { itemAt } from "../../src/core/errors/index.ts";

/** "every hour" for 1h; the text itself if it is no slot. */
export function slotWords(slot: string): string {
  const match = /^(\d+)(s|min|m|h|d|w)$/.exec(slot);
  if (match === null) return slot;
  const unit = { s: "second", min: "minute", m: "minute", h: "hour", d: "day", w: "week" }[itemAt(match, 2)];
  return match[1] === "1" ? `every ${unit}` : `every ${match[1]} ${unit}s`;
}
