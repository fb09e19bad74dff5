/** The tests that mutants are held to as one file: those named by `npm run mutation` for the room at hand. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { describe } from "vitest";

const patterns = (process.env.MUTATION_TESTS ?? "")
  .split(",")
  .map(
    (pattern) =>
      new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", "[^/]*").replace("[^/]*[^/]*/", "(.*/)?")}$`),
  );

const files = ["src", "test"]
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`))
  .filter((file) => patterns.some((pattern) => pattern.test(file)));

for (const file of files) describe(file, async () => void (await import(path.resolve(file))));
