/** The records that everybody gets: three generated datasets with user, grid and value, as arrays and as a CSV file. */
import { latLngToCell } from "h3-js";
import { cityText, SeededRandom, simulateValues, VALUE_MODELS, type ValueModel } from "#evidence/simulation";
import { type HeavyTailedOptions, heavyTailed } from "../heavy-tailed.js";

/** One entry per record in each column; users and grids by their number. */
export interface Dataset {
  readonly name: string;
  readonly meaning: string;
  readonly users: readonly string[];
  readonly grids: readonly string[];
  readonly userOf: Uint32Array;
  readonly gridOf: Uint32Array;
  readonly value: Float64Array;
}

export const LOWER = 0;
export const UPPER = 65;

const CITY = { seed: 1, hours: [7, 19] as const };
const CITY_GRIDS = 50;
const CITY_RESOLUTION = 8;

/** Every grid has a level in the lower part of the range, every user one of its own beside it. */
const LEVELS: ValueModel = {
  name: "levels",
  meaning: "every grid has a level between 10 and 39, every user lies up to 6.5 beside it",
  prepare(occupancy, random) {
    const level = Float64Array.from({ length: occupancy.grids.length }, () => 0.15 + 0.45 * random.uniform());
    const shift = Float64Array.from({ length: occupancy.users.length }, () => 0.2 * random.uniform() - 0.1);
    return ({ user, grid }) => {
      const middle = level[grid]! + shift[user]!;
      return { low: middle - 0.05, high: middle + 0.05 };
    };
  },
};

export function makeDatasets(): Dataset[] {
  return [
    generated(
      { users: 40_000, grids: 8, meanGridsPerUser: 1.2, mostGridsPerUser: 3, q: 0.25, seed: 11 },
      LEVELS,
      "town",
      "few grids, many users in each, hardly any user in a second one: what contribution bounds are made for",
    ),
    generated(
      { users: 8_000, grids: 100, meanGridsPerUser: 4, mostGridsPerUser: 100, q: 0.15, seed: 12 },
      VALUE_MODELS.find(({ name }) => name === "heavy users differ")!,
      "tail",
      "users in 1 to 100 of 100 grids, heavy-tailed; the more records a user has in a grid, the lower its values",
    ),
    city(),
  ];
}

function generated(options: HeavyTailedOptions, model: ValueModel, name: string, meaning: string): Dataset {
  const occupancy = heavyTailed(options);
  const { start, value } = simulateValues(occupancy, model, options.seed);
  const userOf = new Uint32Array(value.length);
  const gridOf = new Uint32Array(value.length);
  for (let user = 0; user < occupancy.users.length; user++)
    for (let entry = occupancy.byUser.start[user]!; entry < occupancy.byUser.start[user + 1]!; entry++) {
      userOf.fill(user, start[entry], start[entry + 1]);
      gridOf.fill(occupancy.byUser.grid[entry]!, start[entry], start[entry + 1]);
    }
  return shuffled({
    ...{ name, meaning, userOf, gridOf },
    users: Array.from({ length: occupancy.users.length }, (_, user) => occupancy.users.get(user)),
    grids: Array.from({ length: occupancy.grids.length }, (_, grid) => occupancy.grids.get(grid)),
    value: value.map((share) => LOWER + Math.round(100 * share * (UPPER - LOWER)) / 100),
  });
}

/** Buses by day in the busiest hexagons: few users, each with hundreds of records. */
function city(): Dataset {
  const text = new TextDecoder().decode(Buffer.concat([...cityText(CITY)]));
  const rows = text
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => {
      const [user = "", _route, _trip, _timestamp, latitude, longitude, speed] = line.split(",");
      const grid = latLngToCell(Number(latitude), Number(longitude), CITY_RESOLUTION);
      return { user, grid, value: Math.min(UPPER, Math.max(LOWER, Number(speed))) };
    });
  const records = new Map<string, number>();
  for (const { grid } of rows) records.set(grid, (records.get(grid) ?? 0) + 1);
  const grids = [...records]
    .sort(([left, many], [right, more]) => more - many || (left < right ? -1 : 1))
    .slice(0, CITY_GRIDS)
    .map(([grid]) => grid)
    .sort();
  const gridNumber = new Map(grids.map((grid, index) => [grid, index]));
  const kept = rows.filter(({ grid }) => gridNumber.has(grid));
  const users = [...new Set(kept.map(({ user }) => user))].sort();
  const userNumber = new Map(users.map((user, index) => [user, index]));
  return shuffled({
    name: "city",
    meaning: `buses from ${CITY.hours[0]} to ${CITY.hours[1]} in the ${CITY_GRIDS} busiest hexagons: few users, some hundreds of records each, slow more often than fast`,
    ...{ users, grids },
    userOf: Uint32Array.from(kept, ({ user }) => userNumber.get(user)!),
    gridOf: Uint32Array.from(kept, ({ grid }) => gridNumber.get(grid)!),
    value: Float64Array.from(kept, ({ value }) => value),
  });
}

/** In random order, so that a user's first records are as good as a sample of them. */
function shuffled(dataset: Dataset): Dataset {
  const random = new SeededRandom(5);
  const { userOf, gridOf, value } = dataset;
  const swap = (column: Uint32Array | Float64Array, left: number, right: number): void => {
    const kept = column[left]!;
    column[left] = column[right]!;
    column[right] = kept;
  };
  for (let last = value.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    for (const column of [userOf, gridOf, value]) swap(column, last, other);
  }
  return dataset;
}

export function datasetCsv({ users, grids, userOf, gridOf, value }: Dataset): string {
  const rows = Array.from(value, (each, record) => `${users[userOf[record]!]},${grids[gridOf[record]!]},${each}`);
  return `user,grid,value\n${rows.join("\n")}\n`;
}

/** Mean and population variance of every grid's records. */
export function truthOf({ grids, gridOf, value }: Dataset): { mean: number[]; variance: number[] } {
  const count = new Float64Array(grids.length);
  const sum = new Float64Array(grids.length);
  const squares = new Float64Array(grids.length);
  value.forEach((x, record) => {
    count[gridOf[record]!]! += 1;
    sum[gridOf[record]!]! += x;
  });
  const mean = Array.from(sum, (total, grid) => total / count[grid]!);
  value.forEach((x, record) => {
    squares[gridOf[record]!]! += (x - mean[gridOf[record]!]!) ** 2;
  });
  return { mean, variance: Array.from(squares, (total, grid) => total / count[grid]!) };
}
