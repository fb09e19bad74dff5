/** Maps coordinates to the numbers of H3 cells, many at a time; points that rounding could put into another cell are left to the library. */
import { TURNED } from "./cell-digits.ts";
import { CellPath, FINEST, LOW_BITS, PLACES } from "./cell-path.ts";
import { FaceLattice } from "./face-lattice.ts";
import { type HexagonLibrary, icosahedronFaces } from "./icosahedron.ts";
import { putOnSphere } from "./on-sphere.ts";

// The upper 32 bits of a cell: that it is one, its resolution, its base cell, and those of its 45 bits of digits that do not fit below.
const IS_CELL = 1 << 27;
const RESOLUTION_SHIFT = 20;
const BASE_CELL_SHIFT = 13;
const BASE_CELL_MASK = 127;
const HIGH_WORD_SHIFT = 32 - LOW_BITS;
const LOW_MASK = 2 ** LOW_BITS - 1;

const DIGITS = 7;
const TURNS = 6;

const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
const LOW_WORD = isLittleEndian ? 0 : 1;
const HIGH_WORD = 1 - LOW_WORD;

export class HexagonMapper {
  readonly #library: HexagonLibrary;
  readonly #resolution: number;
  readonly #lattice: FaceLattice;
  readonly #path: CellPath;
  readonly #point = new Float64Array(3);
  /** Digits finer than the resolution are 7. */
  readonly #lowSevens: number;
  readonly #highSevens: number;
  /**
   * How the library calls what a face has at a place: one more than 6 × its base cell + how often digits are turned by 60°; 0
   * where no point has been yet. By face, place and first digit that is not 0: around a pentagon turns depend on that, too.
   */
  readonly #learned: Uint16Array;
  #asked = 0;

  constructor(library: HexagonLibrary, resolution: number) {
    const faces = icosahedronFaces(library);
    const unused = 3 * (FINEST - resolution);
    this.#library = library;
    this.#resolution = resolution;
    this.#lattice = new FaceLattice(faces, resolution);
    this.#path = new CellPath(resolution);
    this.#lowSevens = 2 ** Math.min(unused, LOW_BITS) - 1;
    this.#highSevens = 2 ** Math.max(unused - LOW_BITS, 0) - 1;
    this.#learned = new Uint16Array(faces.length * PLACES * DIGITS);
  }

  get asked(): number {
    return this.#asked;
  }

  /** Fills `cells` with the cells around points given in degrees, and with 0 where a coordinate is none. */
  map(
    { latitudes, longitudes }: Readonly<Record<"latitudes" | "longitudes", Float64Array>>,
    cells: BigUint64Array,
  ): void {
    const words = new Uint32Array(cells.buffer, cells.byteOffset, 2 * cells.length);
    const point = this.#point;
    const lattice = this.#lattice;
    for (let row = 0; row < cells.length; row++) {
      const latitude = latitudes[row]!;
      const longitude = longitudes[row]!;
      const at = 2 * row;
      if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) {
        words[at] = 0;
        words[at + 1] = 0;
        continue;
      }
      putOnSphere(latitude, longitude, point);
      if (!lattice.find(point)) this.#ask(latitude, longitude, words, at);
      else if (!this.#name(words, at)) {
        this.#ask(latitude, longitude, words, at);
        this.#learn(words, at);
      }
    }
  }

  /** Writes the cell at the place that was found; false if nothing is known of the place. */
  #name(words: Uint32Array, at: number): boolean {
    const { face, across, up } = this.#lattice.found;
    this.#path.follow(across, up);
    const { low, high, place } = this.#path.found;
    const known = this.#learned[(face * PLACES + place) * DIGITS + firstDigit(low, high)]!;
    if (known === 0) return false;
    const baseCell = ((known - 1) / TURNS) | 0;
    const turns = known - 1 - TURNS * baseCell;
    const digitsAbove = turned(high, turns) | this.#highSevens;
    words[at + LOW_WORD] = turned(low, turns) | this.#lowSevens | (digitsAbove << LOW_BITS);
    words[at + HIGH_WORD] =
      IS_CELL |
      (this.#resolution << RESOLUTION_SHIFT) |
      (baseCell << BASE_CELL_SHIFT) |
      (digitsAbove >> HIGH_WORD_SHIFT);
    return true;
  }

  #ask(latitude: number, longitude: number, words: Uint32Array, at: number): void {
    const cell = this.#library.latLngToCell(latitude, longitude, this.#resolution);
    words[at + LOW_WORD] = Number.parseInt(cell.slice(-8), 16);
    words[at + HIGH_WORD] = Number.parseInt(cell.slice(0, -8), 16);
    this.#asked += 1;
  }

  /** Takes from the library's answer about a point how it calls the place that was found. */
  #learn(words: Uint32Array, at: number): void {
    const { low, high, place } = this.#path.found;
    const above = words[at + HIGH_WORD]!;
    const below = words[at + LOW_WORD]!;
    const digitsAbove = ((above << HIGH_WORD_SHIFT) | (below >>> LOW_BITS)) & (2 ** (3 * FINEST - LOW_BITS) - 1);
    for (let turns = 0; turns < TURNS; turns++) {
      const isSo =
        (turned(low, turns) | this.#lowSevens) === (below & LOW_MASK) &&
        (turned(high, turns) | this.#highSevens) === digitsAbove;
      if (!isSo) continue;
      const baseCell = (above >> BASE_CELL_SHIFT) & BASE_CELL_MASK;
      const key = (this.#lattice.found.face * PLACES + place) * DIGITS + firstDigit(low, high);
      this.#learned[key] = 1 + TURNS * baseCell + turns;
      return;
    }
  }
}

/** The first digit that is not 0, from the coarsest; 0 if there is none. */
function firstDigit(low: number, high: number): number {
  const digits = high === 0 ? low : high;
  const place = ((31 - Math.clz32(digits | 1)) / 3) | 0;
  return (digits >> (3 * place)) & 7;
}

/** Up to nine digits, each turned by 60° counter-clockwise so many times. */
function turned(digits: number, turns: number): number {
  const from = 512 * turns;
  return (
    TURNED[from + (digits & 511)]! |
    (TURNED[from + ((digits >> 9) & 511)]! << 9) |
    (TURNED[from + (digits >> 18)]! << 18)
  );
}
