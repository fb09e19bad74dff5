/** The hexagons of one resolution on the planes that touch the sphere at the icosahedron's faces: which of them holds a point. */
import { type Face, plus, times, type Vector } from "./icosahedron.ts";

/** Neighbouring hexagons of resolution 0 lie so far apart on such a plane: a corner of the face is twice as far from its centre. */
const UNIT = (3 - Math.sqrt(5)) / 2;
/** How far the hexagons of odd resolutions are turned counter-clockwise. */
const TURN = Math.asin(Math.sqrt(3 / 28));

/**
 * How far the library's own rounding and ours can move a point on the plane, with room to spare: at most this, divided by the
 * distance from the face's centre. The library takes that distance as an arc cosine, which blurs it near the centre. The decision
 * record 0024 derives the bound.
 */
const DOUBT_TIMES_DISTANCE = 1e-14;
/** Beyond this distance the doubt is taken to be as large as here. */
const FAR = 0.01;
/** How much nearer the nearest face's centre has to be than another's, as a difference of cosines. */
const DOUBT_OF_FACE = 1e-12;

// Of each face in the table of numbers, three of each of these; three sides make nine.
const CENTRE = 0;
const ACROSS = 3;
const UP = 6;
const SIDES = 9;
const STRIDE = 18;

export class FaceLattice {
  /** Where `find` puts the point's face and, in unit vectors 120° apart, the place of its hexagon. */
  readonly found = { face: 0, across: 0, up: 0 };
  readonly #faces: Float64Array;
  readonly #ends: number;
  readonly #usualRoom: number;
  readonly #blur: number;
  readonly #nearSquare: number;

  constructor(faces: readonly Face[], resolution: number) {
    const scale = Math.sqrt(7) ** resolution / UNIT;
    const turn = resolution % 2 === 1 ? TURN : 0;
    this.#faces = Float64Array.from(faces.flatMap((face) => numbersOf(face, scale, turn)));
    this.#ends = this.#faces.length;
    this.#blur = 2 * DOUBT_TIMES_DISTANCE * scale * scale;
    this.#usualRoom = 1 - this.#blur / (FAR * scale);
    this.#nearSquare = (FAR * scale) ** 2;
  }

  /** False if rounding could have a say in which hexagon or face it is. */
  find(point: Float64Array): boolean {
    const { found } = this;
    const faces = this.#faces;
    const x = point[0]!;
    const y = point[1]!;
    const z = point[2]!;
    let at = STRIDE * found.face;
    if (!isInside(faces, at, x, y, z)) {
      at = this.#nearest(x, y, z);
      found.face = at / STRIDE;
      if (!isInside(faces, at, x, y, z)) return false;
    }
    const depth = 1 / product(faces, at + CENTRE, x, y, z);
    const across = product(faces, at + ACROSS, x, y, z) * depth;
    const up = product(faces, at + UP, x, y, z) * depth;
    // Within a hexagon these three differ from those of its centre by less than 1, so whole parts lead to the centre.
    const wholeSum = Math.floor(across + up) + 2.5;
    const centreAcross = Math.floor((Math.floor(across + across - up) + wholeSum) * (1 / 3)) | 0;
    const centreUp = Math.floor((Math.floor(up + up - across) + wholeSum) * (1 / 3)) | 0;
    const restAcross = across - centreAcross;
    const restUp = up - centreUp;
    found.across = centreAcross;
    found.up = centreUp;
    const room = this.#room(across * across - across * up + up * up);
    return (
      Math.abs(restAcross + restAcross - restUp) < room &&
      Math.abs(restUp + restUp - restAcross) < room &&
      Math.abs(restAcross + restUp) < room
    );
  }

  /** How far from the centre, in twice the distance of an edge, a point is beyond doubt. */
  #room(squaredDistance: number): number {
    return squaredDistance >= this.#nearSquare ? this.#usualRoom : 1 - this.#blur / Math.sqrt(squaredDistance);
  }

  #nearest(x: number, y: number, z: number): number {
    let nearest = 0;
    let largest = -1;
    for (let at = 0; at < this.#ends; at += STRIDE) {
      const cosine = product(this.#faces, at + CENTRE, x, y, z);
      if (cosine <= largest) continue;
      largest = cosine;
      nearest = at;
    }
    return nearest;
  }
}

function numbersOf({ centre, ahead, left, sides }: Face, scale: number, turn: number): number[] {
  const along = (angle: number): Vector =>
    plus(times(ahead, scale * Math.cos(angle + turn)), times(left, scale * Math.sin(angle + turn)));
  // The vectors at right angles to `up` and to `across`, so that products with them give one coordinate each.
  const stretch = 2 / Math.sqrt(3);
  const across = times(along(Math.PI / 6), stretch);
  const up = times(along(Math.PI / 2), stretch);
  return [centre, across, up, ...sides].flat();
}

function product(numbers: Float64Array, at: number, x: number, y: number, z: number): number {
  return numbers[at]! * x + numbers[at + 1]! * y + numbers[at + 2]! * z;
}

function isInside(faces: Float64Array, at: number, x: number, y: number, z: number): boolean {
  return (
    product(faces, at + SIDES, x, y, z) > DOUBT_OF_FACE &&
    product(faces, at + SIDES + 3, x, y, z) > DOUBT_OF_FACE &&
    product(faces, at + SIDES + 6, x, y, z) > DOUBT_OF_FACE
  );
}
