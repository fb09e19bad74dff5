/** Tables that a reading made are gone when it ends, however it ends: the next one makes tables of the same names. */
import { expect, test } from "vitest";
import { parseRecipe } from "../../partition/index.ts";
import { readGroups } from "./counting.ts";
import { Database } from "./database.ts";

test("a reading of no records ends after its tables are dropped, however long that takes", async () => {
  await using database = await Database.open({ memory: "256MB", threads: 1 });
  await database.make("groups", "(usr VARCHAR, by0 VARCHAR, n BIGINT)");
  const drop = database.drop.bind(database);
  database.drop = async (...tables) => {
    await new Promise((later) => setTimeout(later, 50));
    await drop(...tables);
  };
  const recipe = parseRecipe({ user: "u", value: "v", by: "place" });
  await expect(readGroups(database, { recipe }, { keepSums: false })).rejects.toMatchObject({ code: "INPUT_EMPTY" });
  expect(await database.rows("SELECT table_name FROM duckdb_tables()")).toEqual([]);
});
