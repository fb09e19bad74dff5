/** Simulate: occupancy arrays of the paper's synthetic model, to try planning on. */
import { type OccupancySummary, occupancyCsvChunks, summariseOccupancy } from "../../core/occupancy/index.ts";
import { checkpoint, type LongWorkOptions } from "../../core/planning/index.ts";
import { type SyntheticOptions, synthesise } from "../../evidence/simulation/index.ts";
import { checkOut, refuseExisting, writeFileWhole } from "./write-file.ts";

/** A file, or who takes the bytes if there is none. */
export interface SimulateDestination extends LongWorkOptions {
  readonly out?: string | undefined;
  /** Replace a file that is there. */
  readonly force?: boolean | undefined;
  readonly write?: ((chunk: Uint8Array) => void) | undefined;
}

/** Simulated records look like real ones: whoever takes the one file for the other loses nothing. */
export async function checkDestination({ out, force }: SimulateDestination): Promise<void> {
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
