/** The icosahedron whose faces H3 lays its hexagons on, found from its corners: the centres of the library's twelve pentagons. */
import { invariant, itemAt } from "../../../core/errors/index.ts";

/** The part of the H3 library that the mapper uses: the icosahedron's corners, cells, and the last word on points near an edge. */
export interface HexagonLibrary {
  /** The cell around a point given in degrees, in hexadecimal. */
  latLngToCell(latitude: number, longitude: number, resolution: number): string;
  /** The twelve cells around the icosahedron's corners. */
  getPentagons(resolution: number): readonly string[];
  /** Latitude and longitude of a cell's centre, in degrees. */
  cellToLatLng(cell: string): readonly number[];
}

export type Vector = readonly [x: number, y: number, z: number];

export interface Face {
  /** Of length 1. */
  readonly centre: Vector;
  /** Of length 1, at right angles to the centre, towards one of the corners. */
  readonly ahead: Vector;
  /** `ahead` a quarter turn counter-clockwise, seen from outside. */
  readonly left: Vector;
  /** Three vectors whose product with a point is positive where this face is nearer to it than the neighbour on that side. */
  readonly sides: readonly [Vector, Vector, Vector];
}

const FACES = 20;

/** Faces in any order, each turned any way: both are of no account to those who learn what the library calls its cells. */
export function icosahedronFaces(library: HexagonLibrary): Face[] {
  const corners = library.getPentagons(0).map((cell) => onSphere(library.cellToLatLng(cell)));
  const triangles = trianglesOf(corners);
  invariant(triangles.length === FACES, "the pentagons are not the corners of an icosahedron");
  const centres = triangles.map((triangle) => unit(sum(triangle)));
  return triangles.map(([first], at) => {
    const centre = itemAt(centres, at);
    const ahead = unit(minus(first, times(centre, dot(first, centre))));
    const nearest = centres.filter((other) => other !== centre).sort((a, b) => dot(b, centre) - dot(a, centre));
    const side = (neighbour: number): Vector => minus(centre, itemAt(nearest, neighbour));
    return { centre, ahead, left: cross(centre, ahead), sides: [side(0), side(1), side(2)] };
  });
}

/** Corners that are neighbours of one another, by threes. */
function trianglesOf(corners: readonly Vector[]): Array<readonly [Vector, Vector, Vector]> {
  // Neighbouring corners lie 63.4° apart, all others at least 116.6°.
  const areNear = (one: Vector, other: Vector): boolean => dot(one, other) > 0;
  const triangles: Array<readonly [Vector, Vector, Vector]> = [];
  corners.forEach((first, at) => {
    const later = corners.slice(at + 1).filter((corner) => areNear(first, corner));
    later.forEach((second, place) => {
      for (const third of later.slice(place + 1)) if (areNear(second, third)) triangles.push([first, second, third]);
    });
  });
  return triangles;
}

function onSphere([latitude, longitude]: readonly number[]): Vector {
  const [phi, lambda] = [(latitude! * Math.PI) / 180, (longitude! * Math.PI) / 180];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

function dot(one: Vector, other: Vector): number {
  return one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
}

export function times([x, y, z]: Vector, factor: number): Vector {
  return [x * factor, y * factor, z * factor];
}

export function plus(one: Vector, other: Vector): Vector {
  return [one[0] + other[0], one[1] + other[1], one[2] + other[2]];
}

function minus(one: Vector, other: Vector): Vector {
  return plus(one, times(other, -1));
}

function sum(vectors: readonly Vector[]): Vector {
  return vectors.reduce(plus);
}

function unit(vector: Vector): Vector {
  return times(vector, 1 / Math.sqrt(dot(vector, vector)));
}

function cross(one: Vector, other: Vector): Vector {
  return [
    one[1] * other[2] - one[2] * other[1],
    one[2] * other[0] - one[0] * other[2],
    one[0] * other[1] - one[1] * other[0],
  ];
}
