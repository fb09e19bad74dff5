/** Shows a grid's id readably: its first part, and beneath it the other parts. */
import { readablePart } from "./grid-layout.ts";
import { readableSlots } from "./readable-slot.ts";

/** `days`: slots are whole days, see `haveDays`. */
export function GridName({ id, days = false }: { id: string; days?: boolean | undefined }) {
  const [first, ...rest] = partsOf(id, days);
  return (
    <span class="grid-name" title={id}>
      <span class="id">{first}</span>
      {rest.length === 0 ? null : <small>{rest.join(" · ")}</small>}
    </span>
  );
}

/** The same in one line. */
export function gridText(id: string, days = false): string {
  return partsOf(id, days).join(" · ");
}

/** Whether every slot begins at midnight, so that its time need not be said. */
export function haveDays(ids: readonly string[]): boolean {
  return ids.every((id) => /T00:00(Z|[+-]\d\d:?\d\d)?$/.test(id));
}

function partsOf(id: string, days: boolean): readonly string[] {
  const parts = id.split("/").map(readablePart);
  return days ? [...parts.slice(0, -1), ...readableSlots(parts.slice(-1))] : parts;
}
