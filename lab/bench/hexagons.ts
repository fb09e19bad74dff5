/** `npm run bench -- hexagons`: points to H3 cells on one core, beside the h3-js package's public function, and whether all cells are the same. */
import { cellToLatLng, getPentagons, latLngToCell } from "h3-js";
import { HexagonMapper } from "#data/partition";
import { SeededRandom } from "#evidence/simulation";
import type { BenchSize } from "./size.js";

const POINTS: Record<BenchSize, number> = { quick: 500_000, usual: 5_000_000, full: 100_000_000 };
/** Points are made, mapped both ways and compared a block at a time, in turns. */
const BLOCK = 500_000;
const RESOLUTION = 9;
const GOALS = { distinct: 2, repeated: 4 };
const REPEATS = 10;

interface Kind {
  readonly name: string;
  readonly goal: number;
  readonly fill: (random: SeededRandom, latitudes: Float64Array, longitudes: Float64Array) => void;
}

const anywhere = (random: SeededRandom): [number, number] => [
  (Math.asin(2 * random.uniform() - 1) * 180) / Math.PI,
  360 * random.uniform() - 180,
];
const inOneCity = (random: SeededRandom): [number, number] => [
  21.05 + 0.3 * random.uniform(),
  72.7 + 0.3 * random.uniform(),
];

const distinct = (point: (random: SeededRandom) => [number, number]): Kind["fill"] => {
  return (random, latitudes, longitudes) => {
    for (let at = 0; at < latitudes.length; at++) {
      const [latitude, longitude] = point(random);
      latitudes[at] = latitude;
      longitudes[at] = longitude;
    }
  };
};

/** Each point ten times, in no order. */
const repeated = (point: (random: SeededRandom) => [number, number]): Kind["fill"] => {
  const once = distinct(point);
  return (random, latitudes, longitudes) => {
    const count = latitudes.length / REPEATS;
    once(random, latitudes.subarray(0, count), longitudes.subarray(0, count));
    for (let time = 1; time < REPEATS; time++) {
      latitudes.copyWithin(time * count, 0, count);
      longitudes.copyWithin(time * count, 0, count);
    }
    for (let at = latitudes.length - 1; at > 0; at--) {
      const other = random.below(at + 1);
      [latitudes[at], latitudes[other]] = [latitudes[other]!, latitudes[at]!];
      [longitudes[at], longitudes[other]] = [longitudes[other]!, longitudes[at]!];
    }
  };
};

const KINDS: readonly Kind[] = [
  { name: "all over the sphere", goal: GOALS.distinct, fill: distinct(anywhere) },
  { name: "in one city", goal: GOALS.distinct, fill: distinct(inOneCity) },
  { name: "each point ten times", goal: GOALS.repeated, fill: repeated(anywhere) },
  { name: "the same in one city", goal: GOALS.repeated, fill: repeated(inOneCity) },
];

function seconds(work: () => void): number {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1000;
}

function compare({ name, goal, fill }: Kind, points: number, isJudged: boolean): boolean {
  const random = new SeededRandom(4);
  const mapper = new HexagonMapper({ cellToLatLng, getPentagons, latLngToCell }, RESOLUTION);
  const latitudes = new Float64Array(BLOCK);
  const longitudes = new Float64Array(BLOCK);
  const cells = new BigUint64Array(BLOCK);
  const texts = new Array<string>(BLOCK).fill("");
  let library = 0;
  let ours = 0;
  let different = 0;
  for (let done = 0; done < points; done += BLOCK) {
    fill(random, latitudes, longitudes);
    library += seconds(() => {
      for (let at = 0; at < BLOCK; at++) texts[at] = latLngToCell(latitudes[at]!, longitudes[at]!, RESOLUTION);
    });
    ours += seconds(() => mapper.map({ latitudes, longitudes }, cells));
    for (let at = 0; at < BLOCK; at++) different += Number(BigInt(`0x${texts[at]}`) !== cells[at]);
  }
  const ratio = library / ours;
  console.log(
    `  ${name.padEnd(21)} h3-js ${library.toFixed(2)} s, veilgrid ${ours.toFixed(2)} s: ${ratio.toFixed(1)} times as fast (goal: ${goal}); ` +
      `asked h3-js about ${mapper.asked.toLocaleString("en-US")} points; different cells: ${different}`,
  );
  return different === 0 && (!isJudged || ratio >= goal);
}

export async function benchHexagons(size: BenchSize): Promise<boolean> {
  const points = POINTS[size];
  console.log(`hexagons of resolution ${RESOLUTION} for ${points.toLocaleString("en-US")} points`);
  const results = KINDS.map((kind) => compare(kind, points, size !== "quick"));
  console.log("");
  return results.every(Boolean);
}
