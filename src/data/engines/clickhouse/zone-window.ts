/** A zone cut down to what the records' times need: a server works out every branch of a choice, for every record. */
import type { TimeZone } from "../../partition/index.ts";

/** Below this, asking for the first and last time costs more than it saves. */
export const FEW_TRANSITIONS = 8;
/** Longer than the longest slot and the largest offset together. */
const MARGIN = 16n * 86_400_000_000n;

/** The same zone for every clock reading and instant between two, and for the slots they lie in. */
export function zoneBetween(zone: TimeZone, { from, to }: { from: bigint; to: bigint }): TimeZone {
  const before = zone.transitions.filter(({ at }) => at < from - MARGIN);
  const transitions = zone.transitions.filter(({ at }) => at >= from - MARGIN && at <= to + MARGIN);
  return { ...zone, firstOffset: before.at(-1)?.offset ?? zone.firstOffset, transitions };
}
