/** Simulate: occupancy arrays of the paper's synthetic model, and records of a bus city as CSV, JSON or Parquet. */
import { rm, stat } from "node:fs/promises";
import { VeilgridError } from "../../core/errors/index.ts";
import { type OccupancySummary, occupancyCsvChunks, summariseOccupancy } from "../../core/occupancy/index.ts";
import { checkpoint, type LongWorkOptions } from "../../core/planning/index.ts";
import { modeByUsersMask } from "../../data/sources/index.ts";
import { type CityTextOptions, cityText, type SyntheticOptions, synthesise } from "../../evidence/simulation/index.ts";
import { openEmbeddedEngine } from "./read-source.ts";
import { checkOut, refuseExisting, setMode, writeFileWhole } from "./write-file.ts";

/** A file, or who takes the bytes if there is none. */
export interface SimulateDestination extends LongWorkOptions {
  readonly out?: string | undefined;
  /** Replace a file that is there. */
  readonly force?: boolean | undefined;
  readonly write?: ((chunk: Uint8Array) => void) | undefined;
}

/** Simulated records look like real ones: whoever takes the one file for the other loses nothing. */
async function checkDestination({ out, force }: SimulateDestination): Promise<void> {
  await checkOut(out);
  if (out !== undefined && !force) await refuseExisting(out);
}

/** Draws an array and writes it to `out`, or hands its CSV to `write`. */
export async function simulateSynthetic(
  options: SyntheticOptions,
  destination: SimulateDestination,
): Promise<OccupancySummary> {
  await checkDestination(destination);
  const occupancy = synthesise(options, (done, of) => destination.onProgress?.({ step: "drawing users", done, of }));
  await checkpoint(destination.signal);
  if (destination.out !== undefined)
    await writeFileWhole(destination.out, occupancyCsvChunks(occupancy), destination.signal);
  else for (const chunk of occupancyCsvChunks(occupancy)) destination.write?.(chunk);
  return summariseOccupancy(occupancy);
}

export interface CityFlags extends Omit<CityTextOptions, "format"> {
  /** By the file's name if absent. */
  readonly format?: "csv" | "jsonl" | "json" | "parquet" | undefined;
}

export interface CityResult {
  readonly bytes: number;
  readonly format: NonNullable<CityFlags["format"]>;
}

/** Writes a day of records to `out`, or hands their text to `write`. */
export async function simulateCity(options: CityFlags, destination: SimulateDestination): Promise<CityResult> {
  const { out, signal } = destination;
  await checkDestination(destination);
  const format = options.format ?? formatOf(out);
  let bytes = 0;
  function* counted(): Generator<Uint8Array> {
    for (const chunk of cityText({ ...options, format: format === "parquet" ? "csv" : format })) {
      bytes += chunk.length;
      destination.onProgress?.({ step: "simulating, MB of text", done: Math.round(bytes / 1e6) });
      yield chunk;
    }
  }
  if (out === undefined) {
    if (format === "parquet") throw new VeilgridError("USAGE", "Parquet needs --out: it cannot go to standard output");
    for (const chunk of counted()) destination.write?.(chunk);
  } else if (format === "parquet") {
    const text = `${out}.csv.tmp`;
    try {
      await writeFileWhole(text, counted(), signal);
      await using engine = await openEmbeddedEngine();
      await engine.toParquet(text, out, destination);
      await setMode(out, modeByUsersMask(0o666));
    } finally {
      await rm(text, { force: true });
    }
  } else {
    await writeFileWhole(out, counted(), signal);
  }
  return { bytes: out === undefined ? bytes : (await stat(out)).size, format };
}

function formatOf(out: string | undefined): CityResult["format"] {
  const extension = /\.(csv|jsonl|ndjson|json|parquet)(\.gz)?$/.exec(out ?? "")?.[1];
  if (extension === "ndjson") return "jsonl";
  return (extension as CityResult["format"] | undefined) ?? "csv";
}
