/** Notes about what was done to an occupancy file while reading it. */
import type { BuildNotes } from "../occupancy/index.ts";
import { plural } from "../report/index.ts";
import type { CommandContext } from "./command.ts";

export function tellNotes(source: string, notes: BuildNotes, context: CommandContext): void {
  if (notes.duplicateRows > 0) {
    context.note(
      `${source}: ${plural(notes.duplicateRows, "row")} with a user and grid of an earlier row; the counts were added`,
    );
  }
  if (notes.zeroRows > 0) context.note(`${source}: ${plural(notes.zeroRows, "row")} with count 0 passed over`);
}
