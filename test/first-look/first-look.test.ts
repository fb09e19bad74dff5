/** Holds the first look to a corpus of small files in the shapes of public data: none is guessed wrong without a word, and the printed commands run. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { root } from "../support/cli.ts";
import { type Judgement, judge, type Verdict } from "./judge.ts";
import { CITY_FEEDS } from "./shapes/city-feeds.ts";
import { DIALECTS } from "./shapes/dialects.ts";
import { RATINGS_AND_SHOPS } from "./shapes/ratings-and-shops.ts";
import { SENSORS_AND_PEOPLE } from "./shapes/sensors-and-people.ts";
import { TAXIS_AND_BIKES } from "./shapes/taxis-and-bikes.ts";

const SHAPES = {
  "City feeds": CITY_FEEDS,
  "Taxis and bicycles": TAXIS_AND_BIKES,
  "Ratings and shops": RATINGS_AND_SHOPS,
  "Sensors and people": SENSORS_AND_PEOPLE,
  "Ways of writing": DIALECTS,
};
const judged: Judgement[] = [];

describe.each(Object.entries(SHAPES))("%s", (_, files) => {
  test.each(files)("$name", async (file) => {
    const judgement = await judge(file);
    judged.push(judgement);
    expect(judgement, judgement.notes.join("; ")).not.toHaveProperty("verdict", "wrong");
  });
});

afterAll(() => {
  const count = (verdict: Verdict): number => judged.filter((each) => each.verdict === verdict).length;
  const verdicts: readonly Verdict[] = ["right", "asked", "refused", "told", "wrong"];
  const text = [
    `${judged.length} files: ${verdicts.map((verdict) => `${count(verdict)} ${verdict}`).join(", ")}`,
    "",
    ...judged.map(({ name, verdict, notes }) => [verdict.padEnd(8), name, ...notes].join("  ")),
    "",
  ].join("\n");
  mkdirSync(path.join(root, "build"), { recursive: true });
  writeFileSync(path.join(root, "build", "first-looks.txt"), text);
});
