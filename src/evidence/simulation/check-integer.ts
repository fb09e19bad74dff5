/** Refuses a parameter that is not a whole number of its range. */
import { VeilgridError } from "../../core/errors/index.ts";

export function checkInteger(name: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new VeilgridError("PARAMETER_INVALID", `${name} ${value} must be a whole number from ${least} to ${most}`);
}
