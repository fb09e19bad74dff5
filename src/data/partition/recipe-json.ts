/** Writes a recipe into a plan as the flags that would give it again, in a fixed order, and reads it back. */
import { VeilgridError } from "../../core/errors/index.ts";
import { RECIPE_OPTIONS } from "../../core/options/index.ts";
import { parseRecipe, type Recipe, type RecipeFlags } from "./recipe.ts";
import { slotText } from "./slot.ts";
import { HOUR, MINUTE } from "./time-zone.ts";

/** In the order in which plans have them. */
const KEYS = Object.keys(RECIPE_OPTIONS) as Array<keyof RecipeFlags>;

/** The same recipe always gives the same object, keys in the same order. */
export function recipeJson(recipe: Recipe): Readonly<Record<string, string>> {
  const { place, time } = recipe;
  const options: Readonly<Record<keyof RecipeFlags, string | undefined>> = {
    user: recipe.user,
    value: recipe.value,
    by: recipe.by.length === 0 ? undefined : recipe.by.join(","),
    lat: place?.kind === "columns" ? place.latitude : undefined,
    lon: place?.kind === "columns" ? place.longitude : undefined,
    point: place?.kind === "point" ? place.column : undefined,
    cell: place?.kind === "cell" ? place.column : undefined,
    h3: place === null || place.resolution === null ? undefined : String(place.resolution),
    time: time?.column,
    timeFormat: time?.format.replace(/^date:/, ""),
    slot: time === null || time.slot === null ? undefined : slotText(time.slot),
    tz: time?.zone.name,
    from: time === null || time.from === null ? undefined : instantText(time.from),
    to: time === null || time.to === null ? undefined : instantText(time.to),
    hours: time === null || time.hours === null ? undefined : `${clock(time.hours.from)}-${clock(time.hours.to)}`,
    // Plans had no such key when all records without a user were one: absent, they are refused.
    emptyUser: recipe.emptyUser === "refuse" ? undefined : recipe.emptyUser,
    dedupe: recipe.dedupe?.join(","),
    missing: recipe.missing,
    minUsers: String(recipe.minUsers),
    top: recipe.top === null ? undefined : String(recipe.top),
  };
  return Object.fromEntries(KEYS.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]] as const])));
}

/** The recipe in a plan; PLAN_MALFORMED where it is none. */
export function readRecipe(json: Readonly<Record<string, unknown>>): Recipe {
  const known = new Set<string>(KEYS);
  for (const [key, value] of Object.entries(json)) {
    if (!known.has(key) || typeof value !== "string")
      throw new VeilgridError("PLAN_MALFORMED", "the plan's partition is not one that this version knows");
  }
  const recipe = orMalformed(() => parseRecipe(json as RecipeFlags));
  if (JSON.stringify(recipeJson(recipe)) !== JSON.stringify(json))
    throw new VeilgridError("PLAN_MALFORMED", "the plan's partition is not in canonical form");
  return recipe;
}

/** A flag's own complaint would speak of flags that nobody gave. */
function orMalformed(read: () => Recipe): Recipe {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof VeilgridError)) throw error;
    throw new VeilgridError("PLAN_MALFORMED", "the plan's partition is not one that this version knows");
  }
}

function instantText(instant: bigint): string {
  const micros = ((instant % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const whole = new Date(Number((instant - micros) / 1000n)).toISOString().slice(0, 19);
  return micros === 0n ? `${whole}Z` : `${whole}.${String(micros).padStart(6, "0")}Z`;
}

function clock(time: bigint): string {
  const minutes = (time % HOUR) / MINUTE;
  return minutes === 0n ? String(time / HOUR) : `${time / HOUR}:${String(minutes).padStart(2, "0")}`;
}
