/** Keeps a setting of a page in the address, so that it can be shared. */
import { itemAt } from "../../../../src/core/errors/index.ts";
import { changeQuery } from "../../router.ts";

/** The value that the address names, if it is one of those allowed; the first otherwise. */
export function settingOf<Value extends string>(
  query: URLSearchParams,
  name: string,
  allowed: readonly Value[],
): Value {
  const given = query.get(name);
  return allowed.find((each) => each === given) ?? itemAt(allowed, 0);
}

/** `null` takes it out of the address. */
export function changeSetting(
  query: URLSearchParams,
  changes: Readonly<Record<string, string | null>>,
  how: "push" | "replace" = "replace",
): void {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  changeQuery(next, how);
}
