/** No flag and no argument takes a secret: what is typed stands in the shell's history and in the list of processes. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { Command } from "../src/apps/cli/command.ts";
import { flagOf } from "../src/core/options/index.ts";

const folder = new URL("../src/apps/cli/", import.meta.url);

async function commands(): Promise<Command[]> {
  const found = new Map<string, Command>();
  // main.ts runs what it is given.
  const files = readdirSync(folder).filter((file) => file.endsWith(".ts") && !/^main\.ts$|\.test\.ts$/.test(file));
  for (const file of files) {
    const exported: Record<string, unknown> = await import(new URL(file, folder).href);
    for (const each of Object.values(exported).flat())
      if (typeof each === "object" && each !== null && "run" in each && "options" in each)
        found.set((each as Command).name, each as Command);
  }
  return [...found.values()];
}

const SECRET = /secret|password|passphrase|token|credential|private|\bkeys?\b|\bpin\b/i;

/** Speaks of a secret but takes none: what it takes instead. */
const HARMLESS: Readonly<Record<string, string>> = {
  "--key": "a release's name",
  "--replay-seed": "a seed whose output says that it is not private",
  "--id": "a token's public id",
  "--state": "a folder",
  "--requests-per-minute": "a number",
};

test("every flag that speaks of a secret takes the name of a file", async () => {
  const all = await commands();
  expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(["plan", "release", "serve", "token create"]));
  const suspicious = all.flatMap(({ name, options }) =>
    Object.entries(options)
      .filter(([option, { help }]) => SECRET.test(`${flagOf(option).replaceAll("-", " ")} ${help}`))
      // A flag without a value holds nothing.
      .filter(([, { takes }]) => takes !== undefined && takes !== "<file>")
      .map(([option]) => `${name} ${flagOf(option)}`),
  );
  expect(suspicious.filter((flag) => HARMLESS[/--\S+/.exec(flag)![0]] === undefined)).toEqual([]);
  const files = all.flatMap(({ options }) =>
    Object.entries(options)
      .filter(([option]) => /Key$/.test(option))
      .map(([option, { takes }]) => `${flagOf(option)} ${takes}`),
  );
  expect(new Set(files)).toEqual(new Set(["--users-key <file>", "--tls-key <file>"]));
});

test("no argument is a secret, and no example shows one", async () => {
  for (const { argument, examples } of await commands()) {
    if (argument !== undefined) expect(argument.name).toMatch(/^(source|what|file)$/);
    for (const example of examples) expect(example).not.toMatch(/:\/\/[^/\s@]*:[^/\s@]*@|password|Bearer/i);
  }
});
