/** An engine at the bench: readings of records beside the same readings by the reference, and refusals. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { parseDecimal, Rational } from "../../src/arithmetic/index.ts";
import type { Engine, OccupancyReading, Records, TotalsReading } from "../../src/engines/index.ts";
import { VeilgridError } from "../../src/errors/index.ts";
import { makeObjective, parseBounds } from "../../src/influence/index.ts";
import type { Occupancy } from "../../src/occupancy/index.ts";
import { parseRecipe, type RecipeWishes } from "../../src/partition/index.ts";
import { makePlan, type Plan, runNow } from "../../src/planning/index.ts";
import { freezePlan } from "../../src/planning/plan.ts";
import {
  type RecordRow,
  type ReferenceReading,
  type ReferenceTotals,
  referenceCounts,
  referenceLattice,
  referenceReading,
  referenceTotals,
} from "../support/reference-records.ts";
import type { LatticeFlags, PlanDecisions } from "./scenarios.ts";
import type { RecordsWriter } from "./write-records.ts";

export type Triple = [user: string, grid: string, count: number];

export const PLAIN: LatticeFlags = { bounds: "0,65" };

export const KEEP_ALL: PlanDecisions = {
  keep: "spread",
  hasCaps: false,
  drops: 0,
  trims: 0,
  dropsFirstGrid: false,
  numbers: [0],
  thresholds: [],
};

export interface SourceTraits {
  /** What becomes of an id that is not there: in delimited files it is the empty one. */
  readonly absentIds: "null" | "empty";
  /** A record at fault is named by its row; where records have no order, such records are counted. */
  readonly faults?: "numbered" | "counted";
}

/** An engine, open while the tests of a group run, and a folder for what they write. */
export interface Bench {
  readonly engine: Engine;
  readonly traits: SourceTraits;
  /** What a refusal calls the only record at fault, the one of this row. */
  fault(row: number): string;
  /** Puts records where the engine finds them; the SOURCE that names them. */
  write(rows: readonly RecordRow[]): Promise<string>;
  opened(rows: readonly RecordRow[], wishes: RecipeWishes): Promise<Records>;
  /** What the reference makes of rows as they can be written here. */
  reference(rows: readonly RecordRow[], wishes: RecipeWishes, flags: LatticeFlags): ReferenceReading;
  countsOf(rows: readonly RecordRow[], wishes: RecipeWishes): Promise<Triple[]>;
  /** Grid by user, for rows with a user each. */
  gridsOf(rows: readonly RecordRow[], wishes: RecipeWishes): Promise<Record<string, string>>;
}

/** To be called inside a `describe`. */
export function setUpBench(open: () => Promise<Engine>, write: RecordsWriter, traits: SourceTraits): Bench {
  let engine: Engine;
  let folder: string;
  beforeAll(async () => {
    engine = await open();
    folder = await mkdtemp(path.join(tmpdir(), "veilgrid-conformance-"));
  });
  afterAll(async () => {
    await engine[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });
  const opened: Bench["opened"] = async (rows, wishes) => recordsAt(engine, await write(rows, folder), wishes);
  const countsOf: Bench["countsOf"] = async (rows, wishes) =>
    triplesOf((await engine.readOccupancy(await opened(rows, wishes))).occupancy);
  return {
    get engine() {
      return engine;
    },
    traits,
    fault: (row) => (traits.faults === "counted" ? "1 record" : `row ${row}`),
    write: (rows) => write(rows, folder),
    opened,
    countsOf,
    reference: (rows, wishes, flags) => {
      const asRead = (row: RecordRow): RecordRow =>
        Object.fromEntries(Object.entries(row).map(([column, text]) => [column, text ?? ""]));
      const written = traits.absentIds === "null" ? rows : rows.map(asRead);
      return referenceReading(written, wishes, referenceLattice(flags.bounds, flags.step));
    },
    gridsOf: async (rows, wishes) => {
      const triples = await countsOf(rows, wishes);
      expect(triples).toHaveLength(rows.length);
      return Object.fromEntries(triples.map(([user, grid]) => [user, grid]));
    },
  };
}

export async function recordsAt(engine: Engine, source: string, wishes: RecipeWishes): Promise<Records> {
  return { source: await engine.describe(source, {}), recipe: parseRecipe(wishes) };
}

export function triplesOf({ users, grids, byUser, entries }: Occupancy): Triple[] {
  return Array.from({ length: users.length }, (_, user) => user).flatMap((user) => {
    const { start, grid, count } = byUser;
    expect(start[users.length]).toBe(entries);
    return Array.from({ length: start[user + 1]! - start[user]! }, (_, at): Triple => {
      const entry = start[user]! + at;
      return [users.get(user), grids.get(grid[entry]!), count[entry]!];
    });
  });
}

/** The baseline, which keeps everything. */
export function baselinePlan(occupancy: Occupancy, flags: LatticeFlags): Plan {
  return runNow(
    makePlan(occupancy, {
      objective: makeObjective(parseBounds(flags.bounds)),
      step: flags.step === undefined ? undefined : parseDecimal(flags.step, "--step"),
      epsilon: Rational.of(1),
    }),
  ).plan;
}

/** What a plan decides about entries by name: Γ of each. */
export type KeptRule = (user: string, grid: string, records: number) => number;

/** A plan that drops, trims and caps as told, and the same in the words of the reference. */
export function decidedPlan(
  occupancy: Occupancy,
  flags: LatticeFlags,
  decisions: PlanDecisions,
): { plan: Plan; kept: KeptRule } {
  const baseline = baselinePlan(occupancy, flags);
  const number = (at: number): number => decisions.numbers[at % decisions.numbers.length]! + at;
  const caps = decisions.hasCaps ? baseline.grids.map((_, grid) => 1 + (number(grid) % 5)) : null;
  const triples = triplesOf(occupancy);
  const gridIndex = new Map(baseline.grids.map((grid, index) => [grid, index]));

  const dropped: Triple[] = [];
  const trimmed: Triple[] = [];
  triples.forEach(([user, grid, records], at) => {
    if ((decisions.dropsFirstGrid && gridIndex.get(grid) === 0) || number(at) % 8 < decisions.drops)
      dropped.push([user, grid, 0]);
    else if (number(at + 5) % 8 < decisions.trims) trimmed.push([user, grid, 1 + (number(at + 3) % records)]);
  });
  const concerned = new Set([...dropped, ...trimmed].map(([user]) => user));
  const users = [...occupancy.users].filter((user) => concerned.has(user));
  const userIndex = new Map(users.map((user, index) => [user, index]));
  const plan = freezePlan({
    ...baseline,
    keep: decisions.keep,
    caps,
    users,
    suppressed: dropped.map(([user, grid]) => [userIndex.get(user)!, gridIndex.get(grid)!] as const),
    trimmed: trimmed.map(([user, grid, kept]) => [userIndex.get(user)!, gridIndex.get(grid)!, kept] as const),
  });

  const named = (list: readonly Triple[]): Map<string, number> =>
    new Map(list.map(([user, grid, kept]) => [JSON.stringify([user, grid]), kept]));
  const droppedPairs = named(dropped);
  const trimmedPairs = named(trimmed);
  const kept: KeptRule = (user, grid, records) => {
    const pair = JSON.stringify([user, grid]);
    return (
      droppedPairs.get(pair) ??
      trimmedPairs.get(pair) ??
      Math.min(records, caps === null ? records : caps[gridIndex.get(grid)!]!)
    );
  };
  return { plan, kept };
}

/** Counts, notes, and totals under the plan decided on, each equal to the reference's. */
export async function expectReading(
  engine: Engine,
  records: Records,
  reference: ReferenceReading,
  options: { lattice: LatticeFlags; decisions: PlanDecisions },
): Promise<{ reading: OccupancyReading; totals: TotalsReading; expected: ReferenceTotals }> {
  const reading = await engine.readOccupancy(records);
  expect(triplesOf(reading.occupancy)).toEqual(referenceCounts(reference));
  expect(reading.notes).toEqual(reference.notes);

  const { lattice, decisions } = options;
  const { plan, kept } = decidedPlan(reading.occupancy, lattice, decisions);
  const totals = await engine.readTotals(records, plan, { thresholds: decisions.thresholds, clampedSums: true });
  const expected = referenceTotals(reference, referenceLattice(lattice.bounds, lattice.step), {
    kept,
    keep: decisions.keep,
    thresholds: decisions.thresholds,
  });
  expect(totals.totals).toEqual(expected.totals);
  expect(totals.clampedValues).toBe(expected.clampedValues);
  return { reading, totals, expected };
}

/** The refusal of some work: one line, in our words, and nothing of `secrets` in it, its cause or its stack. */
export async function refusalOf(work: Promise<unknown>, secrets: readonly string[] = []): Promise<VeilgridError> {
  const error: unknown = await work.then(
    () => new Error("it was accepted"),
    (reason) => reason,
  );
  for (let each: unknown = error; each !== undefined && each !== null; each = (each as Error).cause) {
    const texts = [(each as Error).message, (each as Error).stack ?? "", String(each)].join("\n");
    for (const secret of secrets) expect(texts, "a protected value is in the error").not.toContain(secret);
  }
  if (!(error instanceof VeilgridError)) throw error;
  expect(error.message).not.toMatch(/[\n\r]/);
  expect(error.code).not.toBe("INTERNAL");
  return error;
}

/** A time of the quiet day that most tests live on, with seconds. */
export function onDay(time: string): string {
  return `2016-12-16${time.replace(/^(T\d\d:\d\d)(?=Z|[+-])/, "$1:00")}`;
}
