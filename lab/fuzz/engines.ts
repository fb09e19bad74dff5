/** Random records under random recipes and plans, read by the embedded engine and by the plain reference: `differential-engines`. */
import { rm } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { VeilgridError } from "../../src/core/errors/index.ts";
import { DuckDbEngine, type Engine } from "../../src/data/engines/index.ts";
import { recordsAt, referenceOf, someGrids, totalsBeside, triplesOf } from "../../test/conformance/beside-reference.ts";
import { QUIET_ZONES, RESTLESS_ZONES, type Scenario, scenariosIn } from "../../test/conformance/scenarios.ts";
import {
  type RecordsWriter,
  writeCsv,
  writeGzipCsv,
  writeJsonArray,
  writeJsonLines,
  writeParquet,
} from "../../test/conformance/write-records.ts";
import { referenceCounts } from "../../test/support/reference-records.ts";
import { asInput, type FuzzTarget, oneOf } from "./target.ts";

const WRITERS = {
  csv: writeCsv,
  gzip: writeGzipCsv,
  parquet: writeParquet,
  "json-lines": writeJsonLines,
  "json-array": writeJsonArray,
} as const satisfies Record<string, RecordsWriter>;
const FORMATS = Object.keys(WRITERS) as Array<keyof typeof WRITERS>;

interface EnginesCase {
  readonly format: keyof typeof WRITERS;
  readonly zones: "quiet" | "restless";
  /** Of fast-check, which makes records, recipe, lattice and plan of it. */
  readonly seed: number;
}

export interface Place {
  readonly engine: Engine;
  readonly folder: string;
}

async function readingTrouble({ engine, folder }: Place, asked: EnginesCase): Promise<string | undefined> {
  const zones = asked.zones === "quiet" ? QUIET_ZONES : RESTLESS_ZONES;
  const [{ records: rows, recipeOptions, lattice, decisions }] = fc.sample(scenariosIn(zones), {
    seed: asked.seed,
    numRuns: 1,
  }) as [Scenario];
  const absentIds = asked.format === "csv" || asked.format === "gzip" ? "empty" : "null";
  const reference = referenceOf(rows, { recipeOptions, lattice, absentIds });
  const file = await WRITERS[asked.format](rows, folder);
  try {
    const records = await recordsAt(engine, file, recipeOptions);
    if (reference.refusal !== undefined) {
      const code = reference.refusal === "missing" ? "INPUT_MALFORMED" : "INPUT_EMPTY";
      const error: unknown = await engine.readOccupancy(records).catch((reason: unknown) => reason);
      if (error instanceof VeilgridError && error.code === code) throw error;
      return `is not refused with ${code}`;
    }
    const reading = await engine.readOccupancy(records);
    if (!isDeepStrictEqual(triplesOf(reading.occupancy), referenceCounts(reference))) return "has other counts";
    if (!isDeepStrictEqual(reading.notes, reference.notes)) return "has other notes";
    for (const grids of [undefined, someGrids(reading, decisions)]) {
      const asked = { reading, reference, lattice, decisions, grids };
      const { totals, expected } = await totalsBeside(engine, records, asked);
      if (!isDeepStrictEqual(totals.totals, expected.totals)) return "has other totals";
      if (totals.clampedValues !== expected.clampedValues) return "clamps other values";
    }
    return undefined;
  } finally {
    await rm(file);
  }
}

export const engines: FuzzTarget<Place> = {
  longestMs: 30_000,
  mayCrash: true,
  prepare: async (folder) => ({ engine: await DuckDbEngine.open({ memory: "512MB", threads: 1 }), folder }),
  generate: (random) =>
    asInput({
      format: oneOf(random, FORMATS),
      // Every change of a zone costs the engine a comparison to plan.
      zones: random.below(8) === 0 ? "restless" : "quiet",
      seed: random.below(2 ** 30),
    } satisfies EnginesCase),
  try: (input, place) => readingTrouble(place, JSON.parse(input.toString("utf8")) as EnginesCase),
  finish: async ({ engine }) => engine[Symbol.asyncDispose](),
};
