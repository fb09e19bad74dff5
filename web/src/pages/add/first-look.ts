/** Asks the service for a first look at a file, and tells it what it guessed wrong. */
import type { Look as WholeLook } from "../../../../src/apps/client/index.ts";

/** Without samples: a form shows none. */
export type LookedColumn = Omit<WholeLook["columns"][number], "samples">;
export type Look = Omit<WholeLook, "columns"> & { readonly columns: readonly LookedColumn[] };

/** How a text file is written, where the service guesses it wrong. */
export interface Dialect {
  readonly delimiter?: string | undefined;
  readonly header?: "yes" | "no" | undefined;
}
