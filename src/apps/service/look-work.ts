/** A first look at a file for a curator who has yet to say what its columns are; shows no value and no place on the disk. */

import type { RecordsTexts } from "../../core/options/index.ts";
import type { LongWorkOptions } from "../../core/planning/index.ts";
import { type FirstLookResult, isOccupancyFile, lookAtFile } from "../operations/index.ts";

export interface LookWork {
  readonly kind: "look";
  /** Resolved in a data folder. */
  readonly source: string;
  readonly dialect: Pick<RecordsTexts, "delimiter" | "header">;
}

export interface Look extends Pick<FirstLookResult, "columns" | "guess" | "open" | "doubts" | "told"> {
  /** An array of counts: planning can be tried on it, but there is nothing to release. */
  readonly isOccupancy: boolean;
}

export async function lookWork({ source, dialect }: LookWork, options: LongWorkOptions): Promise<Look> {
  const { columns, guess, open, doubts, told } = await lookAtFile(source, dialect, options);
  return { columns, guess, open, doubts, told, isOccupancy: await isOccupancyFile(source) };
}
