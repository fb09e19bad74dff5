/** A zone that is cut down is the same where it is used. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  CLOCK,
  evaluate,
  HAS_OFFSET,
  INSTANT,
  instantExpression,
  localExpression,
  parseSlot,
  parseZone,
  slotStartExpression,
} from "../../partition/index.ts";
import { zoneBetween } from "./time.ts";

const HOUR = 3_600_000_000n;

test.each([
  "America/Chicago",
  "Pacific/Apia",
  "Australia/Lord_Howe",
  "Africa/Casablanca",
  "Europe/Dublin",
])("within the window %s is itself", (name) => {
  const zone = parseZone(name);
  const hours = fc.bigInt({ min: -600_000n, max: 1_000_000n }).map((hour) => hour * HOUR);
  fc.assert(
    fc.property(hours, fc.bigInt({ min: 0n, max: 20_000n }), fc.nat({ max: 1000 }), (from, length, draw) => {
      const to = from + length * HOUR;
      const at = from + (BigInt(draw) * (to - from)) / 1000n;
      const window = zoneBetween(zone, { from, to });
      expect(window.transitions.length).toBeLessThanOrEqual(zone.transitions.length);
      const reading = { integers: { [CLOCK]: at }, flags: { [HAS_OFFSET]: false } };
      const instant = evaluate(instantExpression(zone), reading);
      expect(evaluate(instantExpression(window), reading)).toBe(instant);
      for (const each of [at, instant]) {
        const integers = { [INSTANT]: each };
        expect(evaluate(localExpression(window), { integers })).toBe(evaluate(localExpression(zone), { integers }));
        for (const slot of ["15m", "5h", "1d", "1w"].map((text) => parseSlot(text)))
          expect(evaluate(slotStartExpression(slot, window), { integers })).toBe(
            evaluate(slotStartExpression(slot, zone), { integers }),
          );
      }
    }),
    { numRuns: 200 },
  );
});
