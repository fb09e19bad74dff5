/** Writes time slots as people say them. */

const SLOT = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d(?::\d\d)?)(?:Z|[+-]\d\d:?\d\d)?$/;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;
const MIDNIGHT = ", 00:00";

/** `2026-03-10T09:00+05:30` as "10 Mar 2026, 09:00"; anything else as it is. The zone is the same for all of a dataset. */
export function readableSlot(text: string): string {
  const [, year, month, day, time] = SLOT.exec(text) ?? [];
  const name = MONTHS[Number(month) - 1];
  return name === undefined ? text : `${Number(day)} ${name} ${year}, ${time}`;
}

/** Where all begin at midnight, they are days. */
export function readableSlots(labels: readonly string[]): readonly string[] {
  return labels.every((label) => label.endsWith(MIDNIGHT))
    ? labels.map((label) => label.slice(0, -MIDNIGHT.length))
    : labels;
}
