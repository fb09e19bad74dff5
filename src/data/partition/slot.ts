/** Time slots: parts of the local day counted from midnight, calendar days, or weeks from Monday. */
import { invariant, quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { DAY, HOUR, MINUTE, offsetAt, offsetText, parseZone, SECOND, type TimeZone } from "./time-zone.ts";

export type Slot =
  /** Shorter than a day; the last of a day is cut at midnight where the length does not divide the day. */
  { readonly kind: "part"; readonly length: bigint } | { readonly kind: "day" } | { readonly kind: "week" };

const UNITS: Readonly<Record<string, bigint>> = { s: SECOND, m: MINUTE, min: MINUTE, h: HOUR };

/** `15m`, `1h`, `90s`, `1d`, `1w`. */
export function parseSlot(text: string): Slot {
  if (text === "1d" || text === "24h") return { kind: "day" };
  if (text === "1w" || text === "7d") return { kind: "week" };
  const match = /^([1-9]\d{0,5})(s|min|m|h)$/.exec(text);
  const length = match === null ? 0n : BigInt(match[1]!) * UNITS[match[2]!]!;
  if (length <= 0n || length >= DAY) {
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--slot ${quoteForMessage(text)} is unknown; write 15m, 1h, 6h, 1d or 1w`,
    );
  }
  return { kind: "part", length };
}

export function slotText(slot: Slot): string {
  if (slot.kind === "day") return "1d";
  if (slot.kind === "week") return "1w";
  for (const [unit, size] of [
    ["h", HOUR],
    ["m", MINUTE],
  ] as const)
    if (slot.length % size === 0n) return `${slot.length / size}${unit}`;
  return `${slot.length / SECOND}s`;
}

/** A slot's name: its local start with offset, `2016-12-16T09:00-06:00`; seconds where there are some. */
export function slotLabel(start: bigint, zone: TimeZone): string {
  const offset = offsetAt(zone, start);
  const wall = new Date(Number((start + offset) / 1000n)).toISOString();
  // Years beyond 9999 have six digits and a sign.
  const seconds = wall.slice(-7, -5);
  return `${wall.slice(0, -8)}${seconds === "00" ? "" : `:${seconds}`}${offsetText(offset)}`;
}

export function slotStart(label: string): bigint {
  const [, wall, offset] = /^((?:\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d(?::\d\d)?)([+-].*)$/.exec(label) ?? [];
  invariant(wall !== undefined && offset !== undefined, "a slot has the name that `slotLabel` gave it");
  return BigInt(Date.parse(`${wall}Z`)) * 1000n - parseZone(offset).firstOffset;
}
