/** Bounds that look as if they were read off the data, which they then give away. */
import { quoteForMessage } from "../../../core/errors/index.ts";
import { measuredBound } from "../../../core/influence/index.ts";

export function boundsWarnings({
  bounds,
  upper,
}: {
  readonly bounds?: string | undefined;
  readonly upper?: string | undefined;
}): string[] {
  const found = measuredBound((bounds ?? upper ?? "").split(","));
  if (found === undefined) return [];
  return [
    `the bound ${quoteForMessage(found.trim())} has so many digits that it looks taken from the data, whose extremes it would make public; use what is known without them, such as a limit, a sensor's range or a round number`,
  ];
}
