/** An independent check of a plan file against the occupancy it was made from: errors and losses recomputed exactly, from the text alone. */
import { createHash } from "node:crypto";
import { Fraction, larger } from "./fraction.js";
import { type GridCounts, GridGuarantee, UNITS_PER_ONE } from "./grid-guarantee.js";
import type { OccupancyRow } from "./occupancy-rows.js";
import { type PlanFile, parsePlanFile } from "./plan-file.js";

export interface PlanCheck {
  /** In the plan's metric, of the worst grid; null where some grid guarantees nothing. */
  readonly worstError: Fraction | null;
  /** Bias plus noise of the worst grid, by statistic, in the statistic's own unit. */
  readonly worstErrorOfStatistic: Readonly<Record<string, Fraction | null>>;
  /** Of the worst user on the noise lattices: what the ledger charges. Null where something is published without noise. */
  readonly loss: Fraction | null;
  /** The limit of `loss` for ever finer lattices. */
  readonly lossContinuous: Fraction | null;
  /** By the paper's rule. */
  readonly lossSimple: Fraction;
  /** Where the plan contradicts itself or the occupancy; empty for a good plan. */
  readonly problems: readonly string[];
}

interface KeptRow extends OccupancyRow {
  readonly kept: number;
}

export function checkPlan(planText: string, rows: Iterable<OccupancyRow>): PlanCheck {
  const plan = parsePlanFile(planText);
  const problems: string[] = [];
  const occupancy = [...rows];
  checkOccupancySize(plan, occupancy, problems);
  checkHash(plan, planText, problems);

  const rowsOfGrid = keptRows(plan, occupancy, problems);
  const guarantees = plan.grids.map((grid, at) => {
    const guarantee = new GridGuarantee(plan, countsOf(rowsOfGrid[at]!), plan.noise[at]!);
    checkNoise(plan, at, guarantee, problems);
    if (guarantee.error() === null) problems.push(`grid ${grid}: no error is guaranteed`);
    return guarantee;
  });

  const losses = largestLosses(plan, rowsOfGrid, guarantees);
  if (losses.joint === null) problems.push("a statistic that users can move is published without noise");
  else if (!losses.joint.equals(plan.loss)) problems.push(`loss: plan says ${plan.loss}, should be ${losses.joint}`);
  if (!losses.simple.equals(plan.lossSimple))
    problems.push(`lossSimple: plan says ${plan.lossSimple}, should be ${losses.simple}`);

  return {
    worstError: worst(guarantees.map((guarantee) => guarantee.error())),
    worstErrorOfStatistic: Object.fromEntries(
      plan.statistics.map((statistic, at) => [statistic, worst(guarantees.map((guarantee) => guarantee.errorOf(at)))]),
    ),
    loss: losses.joint,
    lossContinuous: losses.continuous,
    lossSimple: losses.simple,
    problems,
  };
}

/** Per grid the rows with what is kept of them: nothing if suppressed, the trimmed number if listed, else min(m, cap). */
function keptRows(plan: PlanFile, occupancy: readonly OccupancyRow[], problems: string[]): KeptRow[][] {
  const gridIndex = new Map(plan.grids.map((grid, at) => [grid, at]));
  const userIndex = new Map(plan.users.map((user, at) => [user, at]));
  if (gridIndex.size < plan.grids.length) problems.push("grids: an id is listed twice");
  if (userIndex.size < plan.users.length) problems.push("users: an id is listed twice");

  const decided = new Map<string, number>();
  const decide = (user: number, grid: number, kept: number): void => {
    const pair = `${user},${grid}`;
    if (decided.has(pair)) problems.push(`user ${plan.users[user]} in grid ${plan.grids[grid]} is decided twice`);
    decided.set(pair, kept);
  };
  for (const [user, grid] of plan.suppressed) decide(user, grid, 0);
  for (const [user, grid, kept] of plan.trimmed) decide(user, grid, kept);

  const result: KeptRow[][] = plan.grids.map(() => []);
  for (const row of occupancy) {
    const grid = gridIndex.get(row.grid);
    if (grid === undefined) {
      problems.push(`grid ${row.grid} is not in the plan`);
      continue;
    }
    const pair = `${userIndex.get(row.user)},${grid}`;
    const kept = decided.get(pair) ?? Math.min(row.count, plan.caps[grid] ?? row.count);
    decided.delete(pair);
    if (kept > row.count) problems.push(`user ${row.user} in grid ${row.grid}: keeps ${kept} of ${row.count}`);
    result[grid]!.push({ ...row, kept });
  }
  for (const pair of decided.keys()) problems.push(`suppressed or trimmed without records: user,grid ${pair}`);
  result.forEach((inGrid, grid) => {
    if (inGrid.length === 0) problems.push(`grid ${plan.grids[grid]} is not in the occupancy`);
  });
  return result;
}

function countsOf(rows: readonly KeptRow[]): GridCounts {
  return {
    total: rows.reduce((sum, row) => sum + row.count, 0),
    kept: rows.reduce((sum, row) => sum + row.kept, 0),
    largest: rows.reduce((most, row) => Math.max(most, row.kept), 0),
  };
}

function checkNoise(plan: PlanFile, grid: number, guarantee: GridGuarantee, problems: string[]): void {
  const { epsilon, epsilons, scales } = plan.noise[grid]!;
  const name = (at: number): string => `grid ${plan.grids[grid]}, ${plan.statistics[at]}`;
  epsilons.forEach((each, at) => {
    if (Fraction.ZERO.isAbove(each)) problems.push(`${name(at)}: ε is negative`);
    if (UNITS_PER_ONE % each.bottom !== 0n) problems.push(`${name(at)}: ε ${each} is not a multiple of 10^-18`);
    const scale = guarantee.scales[at]!;
    if (scale === null) problems.push(`${name(at)}: no ε, but somebody can move it`);
    else if (!scale.equals(scales[at]!)) problems.push(`${name(at)}: scale is ${scales[at]}, should be ${scale}`);
    if (scale?.isZero() && !each.isZero()) problems.push(`${name(at)}: ε ${each} where nobody can move it`);
  });
  const spent = epsilons.reduce((sum, each) => sum.plus(each), Fraction.ZERO);
  if (spent.isAbove(epsilon)) problems.push(`grid ${plan.grids[grid]}: its statistics spend ${spent} of ε ${epsilon}`);
}

interface LargestLosses {
  readonly joint: Fraction | null;
  readonly continuous: Fraction | null;
  readonly simple: Fraction;
}

function largestLosses(
  plan: PlanFile,
  rowsOfGrid: ReadonlyArray<readonly KeptRow[]>,
  guarantees: readonly GridGuarantee[],
): LargestLosses {
  const units = new Map<string, bigint>();
  const continuous = new Map<string, Fraction>();
  const simple = new Map<string, Fraction>();
  let unhidden = false;
  rowsOfGrid.forEach((rows, grid) => {
    for (const { user, kept } of rows) {
      if (kept === 0) continue;
      simple.set(user, (simple.get(user) ?? Fraction.ZERO).plus(plan.noise[grid]!.epsilon));
      const price = guarantees[grid]!.priceOf(kept);
      if (price === null) {
        unhidden = true;
        continue;
      }
      units.set(user, (units.get(user) ?? 0n) + price.units);
      continuous.set(user, (continuous.get(user) ?? Fraction.ZERO).plus(price.continuous));
    }
  });
  const largest = (losses: Iterable<Fraction>): Fraction => [...losses].reduce(larger, Fraction.ZERO);
  const mostUnits = [...units.values()].reduce((most, each) => (each > most ? each : most), 0n);
  return {
    joint: unhidden ? null : Fraction.of(mostUnits, UNITS_PER_ONE),
    continuous: unhidden ? null : largest(continuous.values()),
    simple: largest(simple.values()),
  };
}

function checkOccupancySize(plan: PlanFile, occupancy: readonly OccupancyRow[], problems: string[]): void {
  const found = {
    users: new Set(occupancy.map((row) => row.user)).size,
    grids: new Set(occupancy.map((row) => row.grid)).size,
    entries: occupancy.length,
    samples: occupancy.reduce((sum, row) => sum + row.count, 0),
  };
  for (const key of ["users", "grids", "entries", "samples"] as const)
    if (found[key] !== plan.occupancy[key])
      problems.push(`occupancy.${key}: plan says ${plan.occupancy[key]}, the rows have ${found[key]}`);
}

/** The hash is the last key and covers the text before it. */
function checkHash(plan: PlanFile, planText: string, problems: string[]): void {
  const end = planText.lastIndexOf(`,"hash":"${plan.hash}"}`);
  const hash = createHash("sha256")
    .update(`${planText.slice(0, Math.max(end, 0))}}`)
    .digest("hex");
  if (end < 0 || hash !== plan.hash) problems.push("hash: the text is not what was hashed");
}

function worst(errors: ReadonlyArray<Fraction | null>): Fraction | null {
  let most = Fraction.ZERO;
  for (const error of errors) {
    if (error === null) return null;
    most = larger(most, error);
  }
  return most;
}
