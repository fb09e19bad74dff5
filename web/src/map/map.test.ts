/** Tests layouts of grids, arrow keys, views of the map, and the contrast of letters. */
import fc from "fast-check";
import { gridDisk, latLngToCell } from "h3-js";
import { describe, expect, test } from "vitest";
import { arrowNeighbour, nearestTo } from "./arrow-neighbour.ts";
import { colourOf, domainOf, inkOn, relativeLuminance } from "./colour-scale.ts";
import { layoutGrids } from "./grid-layout.ts";
import { gridText, haveDays } from "./grid-name.tsx";
import { crosses, mapPlane } from "./map-plane.ts";
import {
  dragged,
  type Frame,
  type Point,
  showing,
  toPlane,
  toScreen,
  viewBoxOf,
  wholeView,
  within,
  zoomed,
} from "./view.ts";

const CELLS = gridDisk(latLngToCell(12.97, 77.59, 8), 3);

describe("layout", () => {
  test("cells alone are one layer", () => {
    const layout = layoutGrids(CELLS);
    expect(layout).toMatchObject({ kind: "hexagons", withoutPlace: 0, layers: [{ name: "" }] });
  });

  test("slots are layers in order, and cells are kept once", () => {
    const ids = ["2024-01-10", "2024-01-09"].flatMap((slot) => CELLS.slice(0, 4).map((cell) => `${cell}/${slot}`));
    const layout = layoutGrids(ids);
    if (layout.kind !== "hexagons") throw new Error(layout.kind);
    expect(layout.cells).toHaveLength(4);
    expect(layout.layers.map(({ name }) => name)).toEqual(["2024-01-09", "2024-01-10"]);
    expect(layout.layers[0]!.grids).toEqual([4, 5, 6, 7]);
    expect(layout.layerOf).toEqual([1, 1, 1, 1, 0, 0, 0, 0]);
  });

  test("columns may come before the cell, and a record may have no place", () => {
    const layout = layoutGrids([`bus%2Fcoach/${CELLS[0]}/2024`, "bus%2Fcoach/%null/2024"]);
    expect(layout).toMatchObject({ kind: "hexagons", withoutPlace: 1, layers: [{ name: "bus/coach · 2024" }] });
  });

  test("slots are said as people say them", () => {
    const days = layoutGrids(["2026-03-09", "2026-12-10"].map((day) => `${CELLS[0]}/${day}T00:00+05:30`));
    expect(days).toMatchObject({ layers: [{ name: "9 Mar 2026" }, { name: "10 Dec 2026" }] });
    const hours = layoutGrids(["00", "09"].map((hour) => `${CELLS[0]}/2026-03-10T${hour}:00Z`));
    expect(hours).toMatchObject({ layers: [{ name: "10 Mar 2026, 00:00" }, { name: "10 Mar 2026, 09:00" }] });
  });

  test("a day is said without its midnight, an hour with it", () => {
    const ids = [`${CELLS[0]}/2026-03-09T00:00+05:30`, `${CELLS[0]}/2026-03-10T00:00+05:30`];
    expect(haveDays(ids)).toBe(true);
    expect(haveDays([...ids, `${CELLS[0]}/2026-03-10T01:00+05:30`])).toBe(false);
    expect(gridText(ids[0]!, true)).toBe(`${CELLS[0]} · 9 Mar 2026`);
    expect(gridText(ids[0]!)).toBe(`${CELLS[0]} · 9 Mar 2026, 00:00`);
    expect(gridText("a%2Fb/%null")).toBe("a/b · (none)");
  });

  test("what is no cell everywhere is no map", () => {
    expect(layoutGrids([CELLS[0]!, "shop"]).kind).toBe("list");
    expect(layoutGrids(["a", "b", "c"]).kind).toBe("list");
    expect(layoutGrids([]).kind).toBe("list");
  });

  test("two parts with few distinct second ones are a table", () => {
    const ids = ["north", "south"].flatMap((place) => ["1", "2", "10"].map((hour) => `${place}/${hour}`));
    const layout = layoutGrids(ids.slice(0, -1));
    if (layout.kind !== "two-way") throw new Error(layout.kind);
    expect(layout.columns).toEqual(["1", "2", "10"]);
    expect(layout.gridAt).toEqual([
      [0, 1, 2],
      [3, 4, -1],
    ]);
    expect(layoutGrids(Array.from({ length: 100 }, (_, index) => `${index}/${index}`)).kind).toBe("list");
  });
});

describe("colours", () => {
  test("letters on any colour of the scale reach 4.5 : 1", () => {
    for (let fraction = 0; fraction <= 1; fraction += 0.01) {
      const colour = colourOf(fraction, { domain: [0, 1], turned: false })!;
      const [one, other] = [relativeLuminance(colour), relativeLuminance(inkOn(colour))].sort((a, b) => b - a);
      expect((one! + 0.05) / (other! + 0.05)).toBeGreaterThan(4.5);
    }
  });

  test("a turned scale swaps its ends; nothing and what is no number have no colour", () => {
    expect(colourOf(0, { domain: [0, 8], turned: true })).toBe(colourOf(8, { domain: [0, 8], turned: false }));
    expect(colourOf(null, { domain: [0, 8], turned: true })).toBeNull();
    expect(colourOf(Number.NaN, { domain: [0, 8], turned: true })).toBeNull();
    expect(colourOf(Infinity, { domain: [0, 8], turned: false })).toBe(colourOf(8, { domain: [0, 8], turned: false }));
  });

  test("the domain is that of the numbers there are", () => {
    expect(domainOf([null, 3, Infinity, -2])).toEqual([-2, 3]);
    expect(domainOf([null])).toEqual([0, 1]);
  });
});

describe("arrow keys", () => {
  const plane = mapPlane(CELLS);

  test("right and left lead back on a hexagonal grid, and every hexagon can be reached", () => {
    const reached = new Set([0]);
    const waiting = [0];
    for (const from of waiting) {
      for (const direction of ["left", "right", "up", "down"] as const) {
        const to = arrowNeighbour(plane.centres, from, direction);
        if (!reached.has(to)) waiting.push(to);
        reached.add(to);
      }
    }
    expect(reached.size).toBe(CELLS.length);
    const right = arrowNeighbour(plane.centres, 0, "right");
    expect(right).not.toBe(0);
    expect(arrowNeighbour(plane.centres, right, "left")).toBe(0);
  });

  test("at the edge one stays", () => {
    expect(arrowNeighbour([[0, 0]], 0, "up")).toBe(0);
    expect(nearestTo(plane.centres, plane.centres[7]!)).toBe(7);
  });

  test("every cell has a centre within the plane, and a cross", () => {
    for (const [x, y] of plane.centres) {
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(plane.width);
      expect(y).toBeGreaterThan(0);
      expect(y).toBeLessThan(plane.height);
    }
    expect(crosses(plane, [0, 1]).match(/M/g)).toHaveLength(4);
  });
});

describe("views", () => {
  const side = fc.integer({ min: 50, max: 2000 });
  const anyFrame: fc.Arbitrary<Frame> = fc.record({ planeWidth: side, planeHeight: side, width: side, height: side });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const pixelIn = (frame: Frame, [x, y]: Point): Point => [x * frame.width, y * frame.height];

  test("pixels lead to the plane and back", () => {
    fc.assert(
      fc.property(anyFrame, share, share, fc.double({ min: 1, max: 40, noNaN: true }), (frame, x, y, zoom) => {
        const view = within({ ...wholeView(frame), zoom }, frame);
        const [backX, backY] = toScreen(view, frame, toPlane(view, frame, pixelIn(frame, [x, y])));
        expect(backX).toBeCloseTo(x * frame.width, 6);
        expect(backY).toBeCloseTo(y * frame.height, 6);
      }),
    );
  });

  test("whatever is done, one never looks beside the plane", () => {
    fc.assert(
      fc.property(
        anyFrame,
        fc.array(fc.tuple(fc.double({ min: 0.1, max: 10, noNaN: true }), share, share), { maxLength: 8 }),
        (frame, steps) => {
          let view = wholeView(frame);
          for (const [factor, x, y] of steps) {
            view = zoomed(view, frame, factor, pixelIn(frame, [x, y]));
            view = dragged(view, frame, [1000 * (x - 0.5), 1000 * (y - 0.5)]);
            expect(view.zoom).toBeGreaterThanOrEqual(1);
            const [left, top] = toPlane(view, frame, [0, 0]);
            const [right, bottom] = toPlane(view, frame, [frame.width, frame.height]);
            expect(right - left > frame.planeWidth ? 0 : left).toBeGreaterThan(-1e-6);
            expect(right - left > frame.planeWidth ? 0 : right).toBeLessThan(frame.planeWidth + 1e-6);
            expect(bottom - top > frame.planeHeight ? 0 : top).toBeGreaterThan(-1e-6);
          }
        },
      ),
    );
  });

  test("zooming keeps what is under the pointer, and what is to be shown is seen", () => {
    const frame: Frame = { planeWidth: 1000, planeHeight: 600, width: 500, height: 300 };
    const view = zoomed(wholeView(frame), frame, 4, [250, 150]);
    const under = toPlane(view, frame, [200, 160]);
    const closer = zoomed(view, frame, 2, [200, 160]);
    expect(toPlane(closer, frame, [200, 160])[0]).toBeCloseTo(under[0], 9);
    const [x, y] = toScreen(showing(closer, frame, [10, 10]), frame, [10, 10]);
    expect(x).toBeGreaterThan(0);
    expect(y).toBeGreaterThan(0);
    expect(showing(closer, frame, under)).toBe(closer);
    expect(viewBoxOf(wholeView(frame), frame)).toBe("0 0 1000 600");
  });
});
