/** Time as neutral expressions: the instant of a record, the start of its slot, and the time filters. */
import {
  atLeast,
  below,
  both,
  type Condition,
  choice,
  type Expression,
  either,
  field,
  flag,
  floorTo,
  integer,
  lastReached,
  minus,
  plus,
  smaller,
} from "./expression.ts";
import type { RecordTime } from "./recipe.ts";
import type { Slot } from "./slot.ts";
import { DAY, type TimeZone } from "./time-zone.ts";

/** Fields that an engine provides: microseconds as written in the record, and whether an offset was written with it. */
export const CLOCK = "clock";
export const HAS_OFFSET = "has_offset";
/** What `instantExpression` makes of them. */
export const INSTANT = "instant";
/** What local clocks showed then; only the hours of the day need it. */
export const LOCAL = "local";

const MONDAY = 3n * DAY; // 1970 began on a Thursday
const WEEK = 7n * DAY;

interface Stretch {
  /** Since when the offset holds; undefined for the first. */
  readonly from: bigint | undefined;
  readonly offset: bigint;
  readonly offsetBefore: bigint;
}

function stretchesOf(zone: TimeZone): Stretch[] {
  let offsetBefore = zone.firstOffset;
  const stretches: Stretch[] = [{ from: undefined, offset: zone.firstOffset, offsetBefore }];
  for (const { at, offset } of zone.transitions) {
    stretches.push({ from: at, offset, offsetBefore });
    offsetBefore = offset;
  }
  return stretches;
}

/** The instant of a record whose clock reading may lack an offset; such readings follow `instantOfWall`. */
export function instantExpression(zone: TimeZone): Expression {
  const clock = field(CLOCK);
  if (zone.transitions.length === 0 && zone.firstOffset === 0n) return clock;
  const fromWall = lastReached(clock, stretchesOf(zone), {
    start: ({ from, offset, offsetBefore }) => from! + (offset > offsetBefore ? offset : offsetBefore),
    leaf: ({ offset }) => minus(clock, integer(offset)),
  });
  return choice(flag(HAS_OFFSET), clock, fromWall);
}

/**
 * The first instant of a record's slot. A slot is what local clocks show between its start and its end; it is two slots where
 * clocks go back over its start, and begins after the gap where they skip it.
 */
export function slotStartExpression(slot: Slot, zone: TimeZone): Expression {
  const instant = field(INSTANT);
  return lastReached(instant, stretchesOf(zone), {
    start: ({ from }) => from!,
    leaf: ({ from, offset, offsetBefore }) => {
      const wall = wallStart(slot, plus(instant, integer(offset)));
      const start = minus(wall, integer(offset));
      if (from === undefined) return start;
      return choice(atLeast(start, integer(from)), start, smaller(minus(wall, integer(offsetBefore)), integer(from)));
    },
  });
}

function wallStart(slot: Slot, wall: Expression): Expression {
  if (slot.kind === "day") return floorTo(wall, DAY);
  if (slot.kind === "week") return minus(floorTo(plus(wall, integer(MONDAY)), WEEK), integer(MONDAY));
  if (DAY % slot.length === 0n) return floorTo(wall, slot.length);
  const midnight = floorTo(wall, DAY);
  return plus(midnight, floorTo(minus(wall, midnight), slot.length));
}

export function localExpression(zone: TimeZone): Expression {
  const instant = field(INSTANT);
  return lastReached(instant, stretchesOf(zone), {
    start: ({ from }) => from!,
    leaf: ({ offset }) => plus(instant, integer(offset)),
  });
}

/** `--from`, `--to` and `--hours`, all half-open; undefined where everything passes. */
export function timeFilter(time: RecordTime): Condition | undefined {
  const instant = field(INSTANT);
  const conditions: Condition[] = [];
  if (time.from !== null) conditions.push(atLeast(instant, integer(time.from)));
  if (time.to !== null) conditions.push(below(instant, integer(time.to)));
  if (time.hours !== null) {
    const ofDay = minus(field(LOCAL), floorTo(field(LOCAL), DAY));
    const after = atLeast(ofDay, integer(time.hours.from));
    const before = below(ofDay, integer(time.hours.to));
    conditions.push(time.hours.from < time.hours.to ? both(after, before) : either(after, before));
  }
  return conditions.length === 0 ? undefined : conditions.reduce(both);
}
