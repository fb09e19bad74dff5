/** Lists a dataset's recipe and options as names and values. */
import type { Dataset } from "../../../../src/apps/client/index.ts";
import { hexagonWords } from "../../hexagon-size.ts";
import { isolateText } from "../../isolate-text.ts";
import { slotWords } from "../../slot-words.ts";

export interface RecipeFact {
  readonly name: string;
  readonly value: string;
}

export interface FactsOf {
  readonly recipe: Dataset["recipe"];
  readonly bounds: string;
  readonly statistics: string | null;
  readonly unit: string | null;
}

const MISSING: Readonly<Record<string, string>> = {
  refuse: "not accepted",
  midpoint: "counted as the middle of the bounds",
  drop: "left out",
};

const EMPTY_USER: Readonly<Record<string, string>> = {
  refuse: "not accepted",
  one: "counted as one user",
  drop: "left out",
};

export function recipeFacts({ recipe, bounds, statistics, unit }: FactsOf): RecipeFact[] {
  const { lat, lon, point, cell, h3 } = recipe;
  const { user, value, by, time, slot, tz, from, to, hours, emptyUser, dedupe, missing, minUsers, top } = recipe;
  const place = point === undefined ? lat && lon && `${isolateText(lat)} and ${isolateText(lon)}` : isolateText(point);
  const sizes = h3 === undefined ? cell && "as the file has them" : `size ${h3}: ${hexagonWords(h3) ?? ""}`;
  const inUnit = unit === null ? "" : ` ${unit}`;
  const facts: Array<[string, string | undefined]> = [
    ["Whose record", user && `column ${isolateText(user)}`],
    ["Protected number", value && `column ${isolateText(value)}`],
    ["Kept between", `${bounds.replace(",", " and ")}${inUnit}`],
    ["Published", (statistics ?? "mean,variance").split(",").join(", ")],
    ["Place", place && `columns ${place}`],
    ["Place", cell && `column ${isolateText(cell)}`],
    ["Hexagons", sizes],
    ["Grouped by", by?.split(",").map(isolateText).join(", ")],
    ["Time", time && `column ${isolateText(time)}`],
    ["Time slots", slot && slotWords(slot)],
    ["Time zone", time && (tz ?? "UTC")],
    ["Only from", from],
    ["Only before", to],
    ["Only hours", hours],
    ["One record each", recipe.oneRecordPerUser ? "nobody has more than one" : undefined],
    ["Without a user", emptyUser && (EMPTY_USER[emptyUser] ?? emptyUser)],
    ["Counted once", dedupe && `what agrees in ${dedupe.split(",").map(isolateText).join(", ")}`],
    ["Without a number", missing && (MISSING[missing] ?? missing)],
    ["Only grids with", minUsers && `at least ${minUsers} users`],
    ["Only the", top && `${top} grids with most records`],
  ];
  return facts.flatMap(([name, text]) => (text === undefined || text === "" ? [] : [{ name, value: text }]));
}
