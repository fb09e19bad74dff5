/** What the token commands share: the state folder's flag, and a token as people read it. */
import type { CommandOption } from "./command.ts";

export const STATE_OPTION: CommandOption = {
  flags: "--state <folder>",
  description: "where the service keeps tokens, plans and the ledger",
};

/** `city, region`, or all of them. */
export function datasetsText(datasets: readonly string[] | null): string {
  return datasets === null ? "all" : datasets.join(", ");
}

/** A time to the minute, in UTC. */
export function minuteText(time: string | null): string {
  return time === null ? "–" : time.slice(0, 16).replace("T", " ");
}
