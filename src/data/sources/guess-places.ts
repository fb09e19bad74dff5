/** Guesses where records were: two columns of coordinates, one of points, or one of H3 cells; asks where latitude and longitude could be one another. */
import { readCell } from "../partition/index.ts";
import { isBlank } from "./cell-looks.ts";
import { latitudeOf, longitudeOf } from "./column-words.ts";
import { type Column, lacksNumber, pairIn } from "./look-column.ts";
import type { Sample } from "./sample.ts";

export interface PlaceGuess {
  readonly latitude?: Column | undefined;
  readonly longitude?: Column | undefined;
  readonly point?: Column | undefined;
  readonly cell?: Column | undefined;
  /** Columns that hold coordinates, used or not: none of them is a user or a value. */
  readonly coordinates: readonly Column[];
  /** Which of two columns is the latitude, where that must be asked. */
  readonly open: ReadonlyArray<{ readonly flag: string; readonly says: string }>;
  readonly doubts: readonly string[];
}

/** Few people live beyond the polar circles. */
const POLAR = 66.6;
/** Degrees with as many decimals are places rather than measurements. */
const DECIMALS_OF_DEGREES = 4;

export function guessPlace(columns: readonly Column[]): PlaceGuess {
  const numbers = columns.filter(({ type }) => type === "number");
  const found = namedPair(numbers) ?? unnamedPair(numbers);
  if (found !== undefined) return found;
  const cell = columns.find(({ type }) => type === "cell");
  const point = columns.find(({ type }) => type === "point");
  if (point !== undefined) return { point, coordinates: [], open: [], doubts: pointDoubts(point) };
  return { cell, coordinates: [], open: [], doubts: cell === undefined ? unreadPlaces(columns) : [] };
}

function namedPair(numbers: readonly Column[]): PlaceGuess | undefined {
  const latitudes = numbers.filter(({ plain }) => latitudeOf(plain) !== undefined);
  const longitudes = numbers.filter(({ plain }) => longitudeOf(plain) !== undefined);
  const [latitude] = latitudes;
  if (latitude === undefined) return undefined;
  const longitude = longitudes.find(({ plain }) => longitudeOf(plain) === latitudeOf(latitude.plain)) ?? longitudes[0];
  if (longitude === undefined) return undefined;
  const coordinates = [...latitudes, ...longitudes];
  const [most, other] = [largest(latitude), largest(longitude)];
  if (most > 180 || other > 180)
    return {
      coordinates,
      open: [],
      doubts: [
        `'${latitude.name}' and '${longitude.name}' are no degrees; convert them to latitude and longitude (WGS 84) for --lat and --lon.`,
      ],
    };
  if (most > 90 && other <= 90)
    return {
      latitude: longitude,
      longitude: latitude,
      coordinates,
      open: [],
      doubts: [
        `'${latitude.name}' goes beyond 90 degrees, so it must be the longitude: the two stand under each other's name, and --lat and --lon are guessed the other way round.`,
      ],
    };
  return {
    latitude,
    longitude,
    coordinates,
    open: [],
    doubts: isPolar(latitude) && !isPolar(longitude) ? [polarDoubt(latitude, longitude)] : [],
  };
}

/** Two neighbours without names, or called x and y, that hold nothing but degrees. */
function unnamedPair(numbers: readonly Column[]): PlaceGuess | undefined {
  const degrees = numbers.filter((column) => (!column.isNamed || /^[xy]$/.test(column.plain)) && holdsDegrees(column));
  const [first, second] = degrees;
  if (first === undefined || second === undefined) return undefined;
  const named = (latitude: Column, longitude: Column, doubts: readonly string[]): PlaceGuess => ({
    latitude,
    longitude,
    coordinates: degrees,
    open: [],
    doubts,
  });
  if (largest(first) > 90 && largest(second) > 90) return { coordinates: degrees, open: [], doubts: [] };
  if (largest(first) > 90) return named(second, first, []);
  if (largest(second) > 90) return named(first, second, []);
  if (isPolar(first) !== isPolar(second)) {
    const [latitude, longitude] = isPolar(first) ? [second, first] : [first, second];
    return named(latitude, longitude, [
      `'${latitude.name}' is taken for the latitude, because '${longitude.name}' as one would lie near a pole; if it is the other way round, change --lat and --lon.`,
    ]);
  }
  const says = `'${first.name}' and '${second.name}' hold coordinates, and either could be the latitude; say which with --lat COL and --lon COL.`;
  return {
    coordinates: degrees,
    open: [
      { flag: "lat", says },
      { flag: "lon", says: `The other one is the longitude, --lon COL.` },
    ],
    doubts: [],
  };
}

function holdsDegrees(column: Column): boolean {
  const written = column.cells.filter((cell) => !lacksNumber(cell)).map(String);
  const precise = written.filter((text) => (/[.,](\d+)/.exec(text)?.[1] ?? "").length >= DECIMALS_OF_DEGREES);
  return 2 * precise.length > written.length && largest(column) <= 180;
}

/** A point that can be turned round, and is not called by the name that says which comes first. */
function pointDoubts(point: Column): string[] {
  const pairs = point.cells.flatMap((cell) => {
    const pair = pairIn(cell);
    return pair === undefined ? [] : [pair];
  });
  const isCertain = /coordinates|geojson|geometry/.test(point.plain) || pairs.some(([first]) => Math.abs(first) > 90);
  if (isCertain) return [];
  const polar = pairs.every(([, second]) => Math.abs(second) > POLAR);
  return [
    `'${point.name}' is read as [longitude, latitude]${polar ? ", which lies near a pole" : ""}; if the latitude comes first, write the two into columns of their own, for --lat and --lon instead of --point.`,
  ];
}

/** Places that are written in a way that no option reads. */
function unreadPlaces(columns: readonly Column[]): string[] {
  const turned = columns.find(({ cells }) => every(cells, (cell) => isPair(pairIn(cell), 90, 180)));
  const written = columns.find(({ cells }) => every(cells, (cell) => WRITTEN_PLACE.test(String(cell).trim())));
  const found = turned ?? written;
  if (found === undefined) return [];
  return [
    `'${found.name}' holds places${turned === undefined ? " as text" : " with the latitude first"}, which cannot be read; write latitude and longitude into columns of their own, for --lat and --lon.`,
  ];
}

/** Kilometres from side to side of a hexagon, by resolution. */
const WIDTHS: ReadonlyArray<readonly [resolution: number, width: number]> = [
  [7, 2.4],
  [6, 6.4],
  [5, 17],
  [4, 45],
  [3, 119],
];
const MOST_ACROSS = 20;

/** Few, large hexagons for the part of the world in which nine tenths of the rows lie. Undefined where there are none, or where the source's own are large. */
export function sizeOfHexagons({ latitude, longitude, point, cell, open }: PlaceGuess): number | undefined {
  const [largestUsed] = WIDTHS[0]!;
  if (cell !== undefined)
    return cell.cells.some((each) => (readCell(String(each))?.resolution ?? 0) > largestUsed) ? largestUsed : undefined;
  if (open.length > 0) return largestUsed;
  const pairs = (point?.cells ?? []).flatMap((each) => [pairIn(each) ?? []]).filter((pair) => pair.length === 2);
  const north = latitude === undefined ? pairs.map((pair) => pair[1]!) : degreesIn(latitude);
  const east = longitude === undefined ? pairs.map((pair) => pair[0]!) : degreesIn(longitude);
  if (north.length === 0 || east.length === 0) return undefined;
  const kilometres = 111 * Math.max(spread(north), spread(east) * Math.cos((middle(north) * Math.PI) / 180));
  return (WIDTHS.find(([, width]) => kilometres <= MOST_ACROSS * width) ?? WIDTHS.at(-1)!)[0];
}

function spread(degrees: readonly number[]): number {
  const sorted = [...degrees].sort((left, right) => left - right);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))]!;
  return at(0.95) - at(0.05);
}

function middle(degrees: readonly number[]): number {
  return [...degrees].sort((left, right) => left - right)[degrees.length >> 1]!;
}

/** POINT (77.59 12.97), or two numbers with a comma between them. */
const WRITTEN_PLACE =
  /^(POINT\s*\(\s*-?\d+(\.\d+)?\s+-?\d+(\.\d+)?\s*\)|\(?\s*-?\d{1,3}\.\d{3,}\s*[,; ]\s*-?\d{1,3}\.\d{3,}\s*\)?)$/i;

function isPair(pair: readonly [number, number] | undefined, first: number, second: number): boolean {
  return pair !== undefined && Math.abs(pair[0]) <= first && Math.abs(pair[1]) <= second;
}

function every(cells: readonly Sample[], holds: (cell: Sample) => boolean): boolean {
  const filled = cells.filter((cell) => !isBlank(cell));
  return filled.length > 0 && filled.every(holds);
}

function polarDoubt(latitude: Column, longitude: Column): string {
  return `By '${latitude.name}' all places lie near a pole; if '${latitude.name}' and '${longitude.name}' stand under each other's name, change --lat and --lon.`;
}

function isPolar(column: Column): boolean {
  return sizesIn(column).every((degrees) => degrees > POLAR);
}

function largest(column: Column): number {
  return sizesIn(column).reduce((most, degrees) => (degrees > most ? degrees : most), 0);
}

function sizesIn(column: Column): number[] {
  return degreesIn(column).map(Math.abs);
}

function degreesIn({ cells }: Column): number[] {
  return cells.filter((cell) => !lacksNumber(cell)).map((cell) => Number(String(cell).replace(",", ".")));
}
