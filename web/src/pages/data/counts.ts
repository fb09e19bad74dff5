/** Computes what the data page says of an occupancy array; users appear only as ranks and numbers. */
import { type Occupancy, summariseOccupancy } from "../../../../src/core/occupancy/index.ts";
import { type Bin, evenBins, logBins } from "./bins.ts";

export interface GridCounts {
  readonly id: string;
  readonly records: number;
  readonly users: number;
  /** Of the grid's records, the share of the user with most of them. */
  readonly largestShare: number;
}

export interface HeavyUser {
  readonly rank: number;
  readonly records: number;
  readonly share: number;
  readonly grids: number;
}

export interface DataCounts {
  readonly users: number;
  readonly records: number;
  readonly meanGrids: number;
  readonly mostGrids: number;
  /** Users who are in no more than one grid, and those in at least half as many grids as the one in most. */
  readonly usersInOne: number;
  readonly usersInMany: number;
  /** The grid that depends most on one user. */
  readonly mostOfOne: GridCounts;
  readonly grids: readonly GridCounts[];
  readonly gridsPerUser: readonly Bin[];
  readonly recordsPerUser: readonly Bin[];
  readonly heaviest: readonly HeavyUser[];
}

export function dataCounts(occupancy: Occupancy): DataCounts {
  const summary = summariseOccupancy(occupancy);
  const grids = summary.perGrid.map(({ grid, users, samples, largestContribution }) => ({
    id: grid,
    records: samples,
    users,
    largestShare: largestContribution / samples,
  }));
  const usersWhere = (holds: (grids: number) => boolean): number =>
    summary.gridsPerUser.reduce((total, { grids: number, users }) => total + (holds(number) ? users : 0), 0);
  return {
    users: summary.users,
    records: summary.samples,
    meanGrids: summary.meanGridsPerUser,
    mostGrids: summary.maxGridsPerUser,
    usersInOne: usersWhere((number) => number === 1),
    usersInMany: usersWhere((number) => number >= summary.maxGridsPerUser / 2),
    mostOfOne: grids.reduce((most, grid) => (grid.largestShare > most.largestShare ? grid : most), grids[0]!),
    grids,
    gridsPerUser: evenBins(summary.gridsPerUser.map(({ grids: number, users }) => ({ number, count: users }))),
    recordsPerUser: logBins(recordsOfUsers(occupancy)),
    heaviest: summary.heaviestContributors.map(({ records, grids: number }, index) => ({
      rank: index + 1,
      records,
      share: records / summary.samples,
      grids: number,
    })),
  };
}

function* recordsOfUsers({ users, byUser }: Occupancy): Generator<number, void, void> {
  for (let user = 0; user < users.length; user++) {
    let records = 0;
    for (let entry = byUser.start[user]!; entry < byUser.start[user + 1]!; entry++) records += byUser.count[entry]!;
    yield records;
  }
}
