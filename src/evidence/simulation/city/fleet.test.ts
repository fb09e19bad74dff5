/** Checks timetables for sense, and the count of reports, which sizes rest on, against going through them one by one. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { streamOf } from "./draws.ts";
import { type Block, countReports, DAY_SECONDS, makeDuty, makeFleet, reportAtOrAfter, reportSecond } from "./fleet.ts";
import { makeMap } from "./map.ts";
import { layRoutes } from "./routes.ts";

const routes = layRoutes(makeMap(streamOf(1, 1)), 12, streamOf(1, 2));
const fleet = makeFleet(routes, 120, streamOf(1, 3));

const interval = fc.double({ min: 1, max: 5000, noNaN: true });
const block = fc
  .record({
    start: fc.nat(4000),
    length: fc.integer({ min: 1, max: 6000 }),
    cuts: fc.array(fc.nat(10_000), { maxLength: 8 }),
  })
  .map(({ start, length, cuts }): Block => {
    const edges = [...new Set(cuts)].sort((a, b) => a - b);
    const gaps = edges.flatMap((to, index) => (index % 2 === 1 ? [[edges[index - 1]!, to] as const] : []));
    return { start, end: start + length, departures: [], tripsBefore: 0, startsOut: true, reportPhase: 0.37, gaps };
  });

test("countReports is what going through the reports counts", () => {
  fc.assert(
    fc.property(block, interval, fc.nat(10_000), fc.nat(10_000), (block, interval, from, to) => {
      let count = 0;
      for (let report = 0; ; report++) {
        const second = Math.floor(reportSecond(block, interval, report));
        if (second >= block.end) break;
        const isInGap = block.gaps.some(([from, to]) => from <= second && second < to);
        if (second >= from && second < to && !isInGap) count += 1;
      }
      expect(countReports(block, interval, from, to)).toBe(count);
    }),
  );
});

test("reportAtOrAfter is the first report that is", () => {
  fc.assert(
    fc.property(block, interval, fc.nat(12_000), (block, interval, second) => {
      const report = reportAtOrAfter(block, interval, second);
      expect(reportSecond(block, interval, report)).toBeGreaterThanOrEqual(second - 1e-6);
      if (report > 0) expect(reportSecond(block, interval, report - 1)).toBeLessThan(second + 1e-6);
    }),
  );
});

test("blocks lie in the day, one after the other, their trips and gaps within", () => {
  for (const vehicle of fleet) {
    let previousEnd = -1;
    for (const { start, end, departures, gaps } of makeDuty(vehicle, streamOf(1, 9, vehicle.index))) {
      expect(start).toBeGreaterThan(previousEnd);
      expect(end).toBeLessThanOrEqual(DAY_SECONDS);
      const moments = [start, ...departures, end];
      expect(moments).toEqual(moments.toSorted((a, b) => a - b));
      const edges = [start, ...gaps.flat(), end];
      expect(edges).toEqual(edges.toSorted((a, b) => a - b));
      previousEnd = end;
    }
  }
});
