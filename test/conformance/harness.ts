/** An engine at the bench: readings of records beside the same readings by the reference, and refusals. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { VeilgridError } from "../../src/core/errors/index.ts";
import type { Engine, OccupancyReading, Records, TotalsReading } from "../../src/data/engines/index.ts";
import type { RecipeFlags } from "../../src/data/partition/index.ts";
import {
  type RecordRow,
  type ReferenceReading,
  type ReferenceTotals,
  referenceCounts,
  referenceSums,
} from "../support/reference-records.ts";
import {
  baselinePlan,
  recordsAt,
  referenceOf,
  someGrids,
  sumsOf,
  type Triple,
  totalsBeside,
  triplesOf,
} from "./beside-reference.ts";
import type { LatticeFlags, PlanDecisions } from "./scenarios.ts";
import type { RecordsWriter } from "./write-records.ts";

export { baselinePlan, decidedPlan, recordsAt, sumsOf, type Triple, triplesOf } from "./beside-reference.ts";

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
  /** Numbers of many digits, and far from 1, are refused as what this engine cannot read exactly. */
  readonly longNumbers?: "unsupported";
  /** What is done with records once they are read is the same for all files of an engine: then short runs leave the tests of it to another format. */
  readonly rules?: "in full runs";
}

/** An engine, open while the tests of a group run, and a folder for what they write. */
export interface Bench {
  readonly engine: Engine;
  readonly traits: SourceTraits;
  /** What a refusal calls the only record at fault, the one of this row. */
  fault(row: number): string;
  /** Puts records where the engine finds them; the SOURCE that names them. */
  write(rows: readonly RecordRow[]): Promise<string>;
  opened(rows: readonly RecordRow[], recipeOptions: RecipeFlags): Promise<Records>;
  /** What the reference makes of rows as they can be written here. */
  reference(rows: readonly RecordRow[], recipeOptions: RecipeFlags, flags: LatticeFlags): ReferenceReading;
  countsOf(rows: readonly RecordRow[], recipeOptions: RecipeFlags): Promise<Triple[]>;
  /** Grid by user, for rows with a user each. */
  gridsOf(rows: readonly RecordRow[], recipeOptions: RecipeFlags): Promise<Record<string, string>>;
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
  const opened: Bench["opened"] = async (rows, recipeOptions) =>
    recordsAt(engine, await write(rows, folder), recipeOptions);
  const countsOf: Bench["countsOf"] = async (rows, recipeOptions) =>
    triplesOf((await engine.readOccupancy(await opened(rows, recipeOptions))).occupancy);
  return {
    get engine() {
      return engine;
    },
    traits,
    fault: (row) => (traits.faults === "counted" ? "1 record" : `row ${row}`),
    write: (rows) => write(rows, folder),
    opened,
    countsOf,
    reference: (rows, recipeOptions, lattice) =>
      referenceOf(rows, { recipeOptions, lattice, absentIds: traits.absentIds }),
    gridsOf: async (rows, recipeOptions) => {
      const triples = await countsOf(rows, recipeOptions);
      expect(triples).toHaveLength(rows.length);
      return Object.fromEntries(triples.map(([user, grid]) => [user, grid]));
    },
  };
}

/** Counts, notes, totals under the plan decided on, and entries' sums, of all grids and of some, each equal to the reference's. */
export async function expectReading(
  engine: Engine,
  records: Records,
  reference: ReferenceReading,
  options: { lattice: LatticeFlags; decisions: PlanDecisions },
): Promise<{ reading: OccupancyReading; totals: TotalsReading; expected: ReferenceTotals }> {
  const reading = await engine.readOccupancy(records);
  expect(triplesOf(reading.occupancy)).toEqual(referenceCounts(reference));
  expect(reading.notes).toEqual(reference.notes);
  const asked = { reading, reference, ...options };
  const { totals, expected } = await totalsBeside(engine, records, asked);
  expect(totals).toEqual(expected);
  const grids = someGrids(reading, options.decisions);
  const part = await totalsBeside(engine, records, { ...asked, grids });
  expect(part.totals).toEqual(part.expected);
  expect(part.totals.totals).toEqual(totals.totals.filter(({ grid }) => grids.includes(grid)));
  const { occupancy } = reading;
  const { thresholds } = options.decisions;
  const plan = baselinePlan(occupancy, options.lattice);
  for (const wanted of [plan.grids, grids])
    expect(await sumsOf(engine, records, { plan, occupancy, thresholds, grids: wanted })).toEqual(
      referenceSums(reference, { thresholds, grids: wanted }),
    );
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
