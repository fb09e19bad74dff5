/** Guesses where records were: two columns of coordinates, one of points, or one of H3 cells; asks where latitude and longitude could be one another. */
import { itemAt } from "../../core/errors/index.ts";
import { readCell } from "../partition/index.ts";
import { isBlank, type Sample } from "./cell-patterns.ts";
import { type Column, lacksNumber, pairIn } from "./column-facts.ts";
import { latitudeOf, longitudeOf } from "./column-words.ts";
import { applicable, type Finding } from "./finding.ts";
import { middleOf } from "./reporting-interval.ts";

interface Place extends Omit<Finding, "flags"> {
  readonly latitude?: Column | undefined;
  readonly longitude?: Column | undefined;
  readonly point?: Column | undefined;
  readonly cell?: Column | undefined;
  /** Columns that hold coordinates, used or not: none of them is a user or a value. */
  readonly coordinates: readonly Column[];
}

/** Few people live beyond the polar circles. */
const POLAR = 66.6;
/** Degrees with as many decimals are places rather than measurements. */
const DECIMALS_OF_DEGREES = 4;

export function guessPlace(columns: readonly Column[]): Place & Finding {
  const numbers = columns.filter(({ type }) => type === "number");
  const place = namedPair(numbers) ?? unnamedPair(numbers) ?? otherPlace(columns);
  const size = sizeOfHexagons(place);
  const { latitude, longitude, point, cell } = place;
  const flags = {
    ...(latitude === undefined || longitude === undefined ? {} : { lat: latitude.name, lon: longitude.name }),
    ...(point === undefined ? {} : { point: point.name }),
    ...(cell === undefined ? {} : { cell: cell.name }),
    ...(size === undefined ? {} : { h3: String(size) }),
  };
  return { ...place, flags };
}

function namedPair(numbers: readonly Column[]): Place | undefined {
  const latitudes = numbers.filter(({ plain }) => latitudeOf(plain) !== undefined);
  const longitudes = numbers.filter(({ plain }) => longitudeOf(plain) !== undefined);
  const [latitude] = latitudes;
  if (latitude === undefined) return undefined;
  const longitude = longitudes.find(({ plain }) => longitudeOf(plain) === latitudeOf(latitude.plain)) ?? longitudes[0];
  if (longitude === undefined) return undefined;
  const coordinates = [...latitudes, ...longitudes];
  const [most, other] = [largest(latitude), largest(longitude)];
  const names = `'${latitude.name}' and '${longitude.name}'`;
  if (most > 180 || other > 180)
    return {
      coordinates,
      doubts: [`${names} are no degrees; convert them to latitude and longitude (WGS 84) for --lat and --lon.`],
    };
  if (most > 90 && other <= 90)
    return {
      latitude: longitude,
      longitude: latitude,
      coordinates,
      doubts: [
        `'${latitude.name}' goes beyond 90 degrees, so it must be the longitude: the two stand under each other's name, and --lat and --lon are guessed the other way round.`,
      ],
    };
  const doubts = applicable([
    isPolar(latitude) && !isPolar(longitude),
    `By '${latitude.name}' all places lie near a pole; if ${names} stand under each other's name, change --lat and --lon.`,
  ]);
  return { latitude, longitude, coordinates, doubts };
}

/** Two neighbours without names, or called x and y, that hold nothing but degrees. */
function unnamedPair(numbers: readonly Column[]): Place | undefined {
  const coordinates = numbers.filter(
    (column) => (!column.isNamed || /^[xy]$/.test(column.plain)) && holdsDegrees(column),
  );
  const [first, second] = coordinates;
  if (first === undefined || second === undefined) return undefined;
  const [isFirstEast, isSecondEast] = [largest(first) > 90, largest(second) > 90];
  if (isFirstEast && isSecondEast) return { coordinates };
  const isKnown = isFirstEast || isSecondEast;
  if (isKnown || isPolar(first) !== isPolar(second)) {
    const [latitude, longitude] = (isKnown ? isFirstEast : isPolar(first)) ? [second, first] : [first, second];
    const doubts = applicable([
      !isKnown,
      `'${latitude.name}' is taken for the latitude, because '${longitude.name}' as one would lie near a pole; if it is the other way round, change --lat and --lon.`,
    ]);
    return { latitude, longitude, coordinates, doubts };
  }
  const says = `'${first.name}' and '${second.name}' hold coordinates, and either could be the latitude; say which with --lat COL and --lon COL.`;
  return {
    coordinates,
    open: [
      { flag: "lat", says },
      { flag: "lon", says: "The other one is the longitude, --lon COL." },
    ],
  };
}

function holdsDegrees(column: Column): boolean {
  const written = column.cells.filter((cell) => !lacksNumber(cell)).map(String);
  const precise = written.filter((text) => (/[.,](\d+)/.exec(text)?.[1] ?? "").length >= DECIMALS_OF_DEGREES);
  return 2 * precise.length > written.length && largest(column) <= 180;
}

function otherPlace(columns: readonly Column[]): Place {
  const point = columns.find(({ type }) => type === "point");
  if (point !== undefined) return { point, coordinates: [], doubts: pointDoubts(point) };
  const cell = columns.find(({ type }) => type === "cell");
  return { cell, coordinates: [], doubts: cell === undefined ? unreadPlaces(columns) : [] };
}

/** A point that can be turned round, and is not called by the name that says which comes first. */
function pointDoubts({ name, plain, cells }: Column): string[] {
  const pairs = pairsIn(cells);
  const polar = pairs.every(([, second]) => Math.abs(second) > POLAR) ? ", which lies near a pole" : "";
  return applicable([
    !/coordinates|geojson|geometry/.test(plain) && pairs.every(([first]) => Math.abs(first) <= 90),
    `'${name}' is read as [longitude, latitude]${polar}; if the latitude comes first, write the two into columns of their own, for --lat and --lon instead of --point.`,
  ]);
}

/** Places that are written in a way that no option reads. */
function unreadPlaces(columns: readonly Column[]): string[] {
  const found = (holds: (cell: Sample) => boolean): Column | undefined =>
    columns.find(({ cells, filled }) => filled > 0 && cells.every((cell) => isBlank(cell) || holds(cell)));
  const turned = found((cell) => {
    const [first, second] = pairIn(cell) ?? [Number.NaN, Number.NaN];
    return Math.abs(first) <= 90 && Math.abs(second) <= 180;
  });
  const written = found((cell) => WRITTEN_PLACE.test(String(cell).trim()));
  const how = turned === undefined ? " as text" : " with the latitude first";
  return applicable([
    (turned ?? written) !== undefined,
    `'${(turned ?? written)?.name}' holds places${how}, which cannot be read; write latitude and longitude into columns of their own, for --lat and --lon.`,
  ]);
}

/** POINT (77.59 12.97), or two numbers with a comma between them. */
const WRITTEN_PLACE =
  /^(POINT\s*\(\s*-?\d+(\.\d+)?\s+-?\d+(\.\d+)?\s*\)|\(?\s*-?\d{1,3}\.\d{3,}\s*[,; ]\s*-?\d{1,3}\.\d{3,}\s*\)?)$/i;

const [FINEST, COARSEST] = [7, 3];
/** Kilometres from side to side of a hexagon, from the finest that is guessed to the last before the coarsest. */
const WIDTHS = [2.4, 6.4, 17, 45];
const MOST_ACROSS = 20;

/** Few, large hexagons for the part of the world in which nine tenths of the rows lie. Undefined where there are none, or where the source's own are large. */
function sizeOfHexagons({ latitude, longitude, point, cell, open }: Place): number | undefined {
  if (cell !== undefined)
    return cell.cells.some((each) => (readCell(String(each))?.resolution ?? 0) > FINEST) ? FINEST : undefined;
  if (open !== undefined) return FINEST;
  const pairs = pairsIn(point?.cells ?? []);
  const north = latitude === undefined ? pairs.map(([, second]) => second) : degreesIn(latitude);
  const east = longitude === undefined ? pairs.map(([first]) => first) : degreesIn(longitude);
  if (north.length === 0 || east.length === 0) return undefined;
  const kilometres = 111 * Math.max(spread(north), spread(east) * Math.cos((middleOf(north) * Math.PI) / 180));
  const steps = WIDTHS.findIndex((width) => kilometres <= MOST_ACROSS * width);
  return steps < 0 ? COARSEST : FINEST - steps;
}

/** Of the middle nine tenths. */
function spread(degrees: readonly number[]): number {
  const sorted = [...degrees].sort((left, right) => left - right);
  const at = (share: number): number => itemAt(sorted, Math.floor(share * (sorted.length - 1)));
  return at(0.95) - at(0.05);
}

function isPolar(column: Column): boolean {
  return degreesIn(column).every((degrees) => Math.abs(degrees) > POLAR);
}

function largest(column: Column): number {
  return Math.max(0, ...degreesIn(column).map(Math.abs));
}

function degreesIn({ cells }: Column): number[] {
  return cells.filter((cell) => !lacksNumber(cell)).map((cell) => Number(String(cell).replace(",", ".")));
}

function pairsIn(cells: readonly Sample[]): Array<readonly [number, number]> {
  return cells.map(pairIn).filter((pair) => pair !== undefined);
}
