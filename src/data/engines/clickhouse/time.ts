/** A record's instant, slot and time filters as ClickHouse expressions, in microseconds. */
import {
  CLOCK,
  HAS_OFFSET,
  INSTANT,
  instantExpression,
  LOCAL,
  localExpression,
  slotStartExpression,
  type TimeZone,
  timeFilter,
} from "../../partition/index.ts";
import { NO_TIME } from "../pipeline/formulas.ts";
import { allOf, anyOf, argument, bound, choose, type Names, not, printerWith, signed } from "./dialect.ts";
import type { TableFields } from "./fields.ts";
import type { RecordsQuery } from "./records-query.ts";
import { timeField } from "./time-fields.ts";

export function timeSql(
  { recipe, table, clocks }: RecordsQuery,
  fields: TableFields,
): {
  instant: string;
  slot: string | undefined;
  clock: string | undefined;
  absent: string;
  passes: string;
  wrong: string;
} {
  const { time } = recipe;
  if (time === null)
    return { instant: signed(NO_TIME), slot: undefined, clock: undefined, absent: "1", passes: "1", wrong: "0" };
  const { names } = table;
  const zone = clocks === undefined ? time.zone : zoneBetween(time.zone, clocks);
  const field = timeField(fields, time);
  const clock = fields.define("clock", field.clock);
  const absent = fields.define("timeless", field.absent);
  const printer = printerWith(names);
  // Never a name alone: old servers do not find what has two names on shards.
  const instant = fields.define(
    "instant",
    choose(absent, signed(NO_TIME), `toInt64(${instantSql(zone, { ...field, clock }, names)})`),
  );
  const filter = timeFilter({ ...time, zone });
  const local = bound([[argument(names, INSTANT), instant]], printer.expression(localExpression(zone)));
  // Never by a name: an old server takes WHERE apart at its ANDs, and fails on one that it finds behind a name.
  const passes =
    filter === undefined
      ? "1"
      : allOf([
          not(absent),
          bound(
            [
              [argument(names, INSTANT), instant],
              ...(time.hours === null ? [] : [[argument(names, LOCAL), local] as const]),
            ],
            printer.condition(filter),
          ),
        ]);
  return {
    instant,
    clock,
    absent,
    slot:
      time.slot === null
        ? undefined
        : choose(
            absent,
            signed(NO_TIME),
            bound([[argument(names, INSTANT), instant]], printer.expression(slotStartExpression(time.slot, zone))),
          ),
    passes,
    wrong: anyOf([
      field.wrong,
      // Records that came meanwhile may need more of the zone than was asked for.
      ...(clocks === undefined
        ? []
        : [allOf([not(absent), `(${clock} < ${signed(clocks.from)} OR ${clock} > ${signed(clocks.to)})`])]),
    ]),
  };
}

function instantSql(
  zone: TimeZone,
  { clock, hasOffset }: { clock: string; hasOffset: "always" | "never" | { readonly sql: string } },
  names: Names,
): string {
  const expression = instantExpression(zone);
  if (hasOffset === "always" || expression.kind === "field") return clock;
  const printer = printerWith(names);
  if (hasOffset === "never")
    return bound(
      [[argument(names, CLOCK), clock]],
      printer.expression(expression.kind === "choice" ? expression.otherwise : expression),
    );
  return bound(
    [
      [argument(names, CLOCK), clock],
      [argument(names, HAS_OFFSET), hasOffset.sql],
    ],
    printer.expression(expression),
  );
}

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
