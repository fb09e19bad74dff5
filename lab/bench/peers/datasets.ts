/** The records that everybody gets: four datasets with user, grid and value, as arrays and as a CSV file. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { type Occupancy, OccupancyBuilder } from "#core/occupancy";
import { SeededRandom, simulateValues, VALUE_MODELS, type ValueModel } from "#evidence/simulation";
import { heavyTailed } from "../heavy-tailed.js";

/** One entry per record in each column; users and grids by their number. */
export interface Dataset {
  readonly name: string;
  readonly meaning: string;
  readonly users: readonly string[];
  readonly grids: readonly string[];
  readonly userOf: Uint32Array;
  readonly gridOf: Uint32Array;
  readonly value: Float64Array;
  /** Grids are H3 cells, so that some are neighbours. */
  readonly hasPlaces: boolean;
}

export const LOWER = 0;
export const UPPER = 65;

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

/** A rating each: a user's average lies up to an eighth of the range beside the level of what is rated, single ratings a fifth beside that. */
const RATINGS: ValueModel = {
  name: "ratings",
  meaning: "every grid has a level, users' averages spread over a quarter of the range, single records over more",
  prepare(occupancy, random) {
    const level = Float64Array.from({ length: occupancy.grids.length }, () => 0.35 + 0.3 * random.uniform());
    const shift = Float64Array.from({ length: occupancy.users.length }, () => 0.25 * random.uniform() - 0.125);
    return ({ user, grid }) => {
      const middle = level[grid]! + shift[user]!;
      return { low: middle - 0.2, high: middle + 0.2 };
    };
  },
};

/** `cityFile`: the buses' records, which are stored so that figures stay comparable when the simulated city changes. */
export function makeDatasets(cityFile: string): Dataset[] {
  return [
    generated(
      heavyTailed({ users: 40_000, grids: 8, meanGridsPerUser: 1.2, mostGridsPerUser: 3, q: 0.25, seed: 11 }),
      { model: LEVELS, seed: 11 },
      "town",
      "few grids, many users in each, hardly any user in a second one: what contribution bounds are made for",
    ),
    generated(
      heavyTailed({ users: 8_000, grids: 100, meanGridsPerUser: 4, mostGridsPerUser: 100, q: 0.15, seed: 12 }),
      { model: VALUE_MODELS.find(({ name }) => name === "heavy users differ")!, seed: 12 },
      "tail",
      "users in 1 to 100 of 100 grids, heavy-tailed; the more records a user has in a grid, the lower its values",
    ),
    city(cityFile),
    generated(
      ratedOnce({ users: 3_000, grids: 100, share: 0.73, seed: 13 }),
      { model: RATINGS, seed: 13 },
      "ratings",
      "users in most of 100 grids, one record in each; their averages spread over a quarter of the range",
    ),
  ];
}

/** Every user in about this share of the grids, one record in each. */
function ratedOnce({ users, grids, share, seed }: Record<"users" | "grids" | "share" | "seed", number>): Occupancy {
  const random = new SeededRandom(seed);
  const builder = new OccupancyBuilder();
  for (let user = 0; user < users; user++)
    for (let grid = 0; grid < grids; grid++)
      if (random.uniform() < share) builder.add(numbered("u", user, users), numbered("g", grid, grids), 1);
  return builder.build().occupancy;
}

function numbered(letter: string, number: number, count: number): string {
  return `${letter}${String(number).padStart(String(count - 1).length, "0")}`;
}

function generated(
  occupancy: Occupancy,
  { model, seed }: { readonly model: ValueModel; readonly seed: number },
  name: string,
  meaning: string,
): Dataset {
  const { start, value } = simulateValues(occupancy, model, seed);
  const userOf = new Uint32Array(value.length);
  const gridOf = new Uint32Array(value.length);
  for (let user = 0; user < occupancy.users.length; user++)
    for (let entry = occupancy.byUser.start[user]!; entry < occupancy.byUser.start[user + 1]!; entry++) {
      userOf.fill(user, start[entry], start[entry + 1]);
      gridOf.fill(occupancy.byUser.grid[entry]!, start[entry], start[entry + 1]);
    }
  return shuffled({
    ...{ name, meaning, userOf, gridOf, hasPlaces: false },
    users: Array.from({ length: occupancy.users.length }, (_, user) => occupancy.users.get(user)),
    grids: Array.from({ length: occupancy.grids.length }, (_, grid) => occupancy.grids.get(grid)),
    value: value.map((share) => LOWER + Math.round(100 * share * (UPPER - LOWER)) / 100),
  });
}

/** Buses by day in the busiest hexagons: few users, each with hundreds of records. */
function city(file: string): Dataset {
  const rows = gunzipSync(readFileSync(file)).toString().trimEnd().split("\n").slice(1);
  return shuffled(
    datasetOf(
      rows.map((row) => row.split(",") as [string, string, string]),
      {
        name: "city",
        meaning:
          "buses from 7 to 19 in the 50 busiest hexagons: few users, some hundreds of records each, slow more often than fast",
      },
    ),
  );
}

/** Of records in hexagons, as texts: user, cell, value. */
export function datasetOf(
  rows: ReadonlyArray<readonly [user: string, grid: string, value: string]>,
  about: Pick<Dataset, "name" | "meaning">,
): Dataset {
  const users = [...new Set(rows.map(([user]) => user))].sort();
  const grids = [...new Set(rows.map(([, grid]) => grid))].sort();
  const userNumber = new Map(users.map((user, index) => [user, index]));
  const gridNumber = new Map(grids.map((grid, index) => [grid, index]));
  return {
    ...{ ...about, users, grids, hasPlaces: true },
    userOf: Uint32Array.from(rows, ([user]) => userNumber.get(user)!),
    gridOf: Uint32Array.from(rows, ([, grid]) => gridNumber.get(grid)!),
    value: Float64Array.from(rows, ([, , value]) => Number(value)),
  };
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
