/** Holds our own mapping of points to cells to the H3 library's, bit for bit, above all where rounding decides. */
import fc from "fast-check";
import { cellToBoundary, cellToLatLng, getPentagons, getRes0Cells, gridDisk, latLngToCell } from "h3-js";
import { describe, expect, test } from "vitest";
import { HexagonMapper } from "./hexagon-mapper.ts";
import { icosahedronFaces, plus, times, type Vector } from "./icosahedron.ts";

const library = { cellToLatLng, getPentagons, latLngToCell };
const RESOLUTIONS = Array.from({ length: 16 }, (_, resolution) => resolution);
const mappers = RESOLUTIONS.map((resolution) => new HexagonMapper(library, resolution));

type Point = readonly [latitude: number, longitude: number];

/** Points that our cells and the library's differ for; none is what we want. */
function differing(points: readonly Point[], resolution: number): string[] {
  const cells = new BigUint64Array(points.length);
  mappers[resolution]!.map(
    {
      latitudes: Float64Array.from(points, ([latitude]) => latitude),
      longitudes: Float64Array.from(points, ([, longitude]) => longitude),
    },
    cells,
  );
  return points.flatMap(([latitude, longitude], at) => {
    const expected = latLngToCell(latitude, longitude, resolution);
    return cells[at]!.toString(16) === expected
      ? []
      : [`${latitude}, ${longitude}: ${cells[at]!.toString(16)} for ${expected}`];
  });
}

function expectSame(points: readonly Point[], resolutions: readonly number[] = RESOLUTIONS): void {
  for (const resolution of resolutions) expect(differing(points, resolution), `resolution ${resolution}`).toEqual([]);
}

/** Evenly over the sphere. */
function spread(count: number): Point[] {
  return Array.from({ length: count }, (_, at): Point => {
    const height = ((at * 0.7548776662466927 + 0.123) % 1) * 2 - 1;
    return [(Math.asin(height) * 180) / Math.PI, ((at * 0.5698402909980532 + 0.456) % 1) * 360 - 180];
  });
}

const inRange = ([latitude, longitude]: Point): boolean => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;

/** The point and others so near that they are told apart by rounding only, or by a little more. */
function around([latitude, longitude]: Point): Point[] {
  const shifts = [0, 1e-14, -1e-12, 1e-9];
  return shifts.flatMap((north) => shifts.map((east): Point => [latitude + north, longitude + east])).filter(inRange);
}

/** A cell's centre, corners and middles of its edges. */
function marksOf(cell: string): Point[] {
  const corners = cellToBoundary(cell) as Point[];
  const middles = corners.map(([latitude, longitude], at): Point => {
    const [nextLatitude, nextLongitude] = corners[(at + 1) % corners.length]!;
    return [(latitude + nextLatitude) / 2, (longitude + nextLongitude) / 2];
  });
  return [cellToLatLng(cell) as unknown as Point, ...corners, ...middles].filter(inRange);
}

function coordinatesOf([x, y, z]: Vector): Point {
  const degrees = 180 / Math.PI;
  return [Math.atan2(z, Math.hypot(x, y)) * degrees, Math.atan2(y, x) * degrees];
}

describe("the library's cell", () => {
  test("of points all over the sphere, most of them without asking the library", () => {
    const points = spread(2000);
    expectSame(points);
    for (const mapper of mappers) {
      const before = mapper.asked;
      const cells = new BigUint64Array(points.length);
      mapper.map(
        {
          latitudes: Float64Array.from(points, ([latitude]) => latitude),
          longitudes: Float64Array.from(points, ([, longitude]) => longitude),
        },
        cells,
      );
      expect(mapper.asked - before).toBeLessThan(20);
    }
  });

  test("of any point", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -90, max: 90, noNaN: true }),
        fc.double({ min: -180, max: 180, noNaN: true }),
        fc.integer({ min: 0, max: 15 }),
        (latitude, longitude, resolution) => {
          expect(differing([[latitude, longitude]], resolution)).toEqual([]);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test.each(RESOLUTIONS)("of centres, corners and edges and what lies next to them, at resolution %i", (resolution) => {
    const cells = [
      ...spread(15).map(([latitude, longitude]) => latLngToCell(latitude, longitude, resolution)),
      ...getPentagons(resolution),
    ];
    expectSame(cells.flatMap(marksOf).flatMap(around), [resolution]);
  });

  test("of cells around pentagons, whose digits leave one direction out", () => {
    for (const resolution of RESOLUTIONS.slice(1)) {
      const cells = getPentagons(resolution).flatMap((pentagon) => gridDisk(pentagon, 3));
      expectSame(
        cells.map((cell) => cellToLatLng(cell) as unknown as Point),
        [resolution, Math.min(15, resolution + 2)],
      );
    }
  });

  test("in every base cell, at every resolution", () => {
    expectSame(getRes0Cells().flatMap((cell) => [...marksOf(cell), ...shrunk(cell, 0.9), ...shrunk(cell, 0.5)]));
  });

  test("on and next to the borders of the icosahedron's faces", () => {
    const corners = getPentagons(0).map((cell) => cellToLatLng(cell) as unknown as Point);
    const borders = icosahedronFaces(library).flatMap(({ centre, ahead, left }) =>
      // A border runs opposite to a corner, at tan(20.9°) from where the face touches the sphere.
      [0, 1, 2].flatMap((third) =>
        spread(8).map(([, angle]) => {
          const along = Math.tan((angle * Math.PI) / 180 / 5.5);
          const turn = Math.PI + (third * 2 * Math.PI) / 3;
          const inward = plus(times(ahead, Math.cos(turn)), times(left, Math.sin(turn)));
          const aside = plus(times(ahead, -Math.sin(turn)), times(left, Math.cos(turn)));
          return coordinatesOf(plus(centre, plus(times(inward, (3 - Math.sqrt(5)) / 2), times(aside, along))));
        }),
      ),
    );
    expectSame([...corners, ...borders].flatMap(around), [0, 1, 4, 9, 15]);
  });

  test("next to the faces' centres, where the library's own distances are blurred", () => {
    const points = icosahedronFaces(library).flatMap(({ centre, ahead, left }) =>
      [0, 1e-9, 1e-8, 3e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.0099, 0.0101].flatMap((far) =>
        [0.1, 1.3, 2.9, 4, 5.7].map((angle) =>
          coordinatesOf(plus(centre, plus(times(ahead, far * Math.cos(angle)), times(left, far * Math.sin(angle))))),
        ),
      ),
    );
    expectSame(points);
  });

  test("at the poles, at the antimeridian and where clocks begin", () => {
    const latitudes = [90, 89.999999999, 45, 0, -0, Number.MIN_VALUE, -45, -90];
    const longitudes = [-180, -179.9999999999, 0, -0, 1e-300, 90, 179.9999999999, 180];
    expectSame(latitudes.flatMap((latitude) => longitudes.map((longitude): Point => [latitude, longitude])));
  });

  test("on both sides of edges as fine as doubles tell them apart", () => {
    for (const resolution of RESOLUTIONS) {
      const points = spread(60).flatMap((from, at) => edgeBetween(from, spread(61)[at + 1]!, resolution));
      expectSame(points, [resolution]);
    }
  });
});

test("what is no coordinate has no cell", () => {
  const nowhere: Point[] = [
    [Number.NaN, 0],
    [0, Number.NaN],
    [90.0000001, 0],
    [0, -180.0000001],
    [Number.POSITIVE_INFINITY, 0],
    [1000, 1000],
  ];
  const cells = BigUint64Array.from([...nowhere, [1, 1]], () => 7n);
  mappers[9]!.map(
    {
      latitudes: Float64Array.from([...nowhere.map(([latitude]) => latitude), 1]),
      longitudes: Float64Array.from([...nowhere.map(([, longitude]) => longitude), 1]),
    },
    cells,
  );
  expect([...cells]).toEqual([...nowhere.map(() => 0n), BigInt(`0x${latLngToCell(1, 1, 9)}`)]);
});

/** Corners of a cell moved towards its centre. */
function shrunk(cell: string, factor: number): Point[] {
  const [latitude, longitude] = cellToLatLng(cell);
  return marksOf(cell)
    .filter(([, there]) => Math.abs(there - longitude) < 180)
    .map(([north, east]) => [latitude + (north - latitude) * factor, longitude + (east - longitude) * factor]);
}

/** Two points as near to one another as doubles get, in different cells. */
function edgeBetween(from: Point, towards: Point, resolution: number): Point[] {
  const cell = latLngToCell(...from, resolution);
  if (latLngToCell(...towards, resolution) === cell) return [];
  let [inside, outside] = [from, towards];
  for (;;) {
    const middle: Point = [(inside[0] + outside[0]) / 2, (inside[1] + outside[1]) / 2];
    const isSame = (point: Point): boolean => point[0] === middle[0] && point[1] === middle[1];
    if (isSame(inside) || isSame(outside)) return [inside, outside];
    if (latLngToCell(...middle, resolution) === cell) inside = middle;
    else outside = middle;
  }
}
