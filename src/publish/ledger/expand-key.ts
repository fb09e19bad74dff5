/** Expands templates of release keys, so that a monthly job asks for a new release every month. */
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";

/** Replaces {yyyy}, {mm}, {dd} (UTC) and {plan}, the first 12 digits of the plan's hash. */
export function expandKey(template: string, at: { readonly date: Date; readonly planHash: string }): string {
  const [yyyy, mm, dd] = at.date.toISOString().slice(0, 10).split("-");
  const values = new Map([
    ["yyyy", yyyy!],
    ["mm", mm!],
    ["dd", dd!],
    ["plan", at.planHash.slice(0, 12)],
  ]);
  return template.replace(/\{([^{}]*)\}/g, (placeholder, name: string) => {
    const value = values.get(name);
    if (value === undefined)
      throw new VeilgridError(
        "USAGE",
        `key ${quoteForMessage(template)}: ${quoteForMessage(placeholder)} is no placeholder; use {yyyy}, {mm}, {dd} or {plan}`,
      );
    return value;
  });
}
