/** A grid's id so that it can be read: its first part, and beneath it what narrows it down. */
import { readablePart } from "./grid-layout.ts";

export function GridName({ id }: { id: string }) {
  const [first, ...rest] = id.split("/").map(readablePart);
  return (
    <span class="grid-name" title={id}>
      <span class="id">{first}</span>
      {rest.length === 0 ? null : <small>{rest.join(" · ")}</small>}
    </span>
  );
}

/** The same in one line. */
export function gridText(id: string): string {
  return id.split("/").map(readablePart).join(" · ");
}
