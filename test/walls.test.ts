/** Holds the walls of the house over src/, and shows that a planted breach of each kind is caught. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { breaches, type Packages } from "./support/walls.ts";

const root = new URL("../", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const packages: Packages = {
  dependencies: new Set(Object.keys(manifest.dependencies)),
  devDependencies: new Set(Object.keys(manifest.devDependencies)),
};

function readFiles(): Map<string, string> {
  const files = new Map<string, string>();
  for (const folder of ["src", "web/src", "test", "lab", "scripts", "examples"]) {
    for (const entry of readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })) {
      const file = `${folder}/${entry.replaceAll("\\", "/")}`;
      // The engine tests' servers are installed below test/.
      if (/\.(tsx?|mjs)$/.test(file) && !file.includes("/node_modules/"))
        files.set(file, readFileSync(new URL(file, root), "utf8"));
    }
  }
  return files;
}

test("the walls hold", () => {
  const files = readFiles();
  expect(files.size).toBeGreaterThan(60);
  expect(breaches(files, packages)).toEqual([]);
});

describe("a planted breach is caught", () => {
  const sound = new Map([
    ["src/index.ts", "/** The way in. */\nexport * from './core/planning/index.ts';\n"],
    ["src/core/errors/index.ts", "/** What can go wrong. */\nexport { oops } from './oops.ts';\n"],
    [
      "src/core/errors/oops.ts",
      "// Says oops, and why.\nexport const oops = { process: 1, Date: 2 };\noops.process;\n",
    ],
    ["src/core/planning/index.ts", "/** Decides things. */\nexport { plan } from './plan.ts';\n"],
    [
      "src/core/planning/plan.ts",
      "/** The plan. */\nimport { oops } from '../errors/index.ts';\nexport const plan = oops;\n",
    ],
    [
      "src/core/planning/plan.test.ts",
      "/** Tests it. */\nimport 'node:fs';\nimport { test } from 'vitest';\nimport '../../../test/support/a.ts';\ntest(process.pid);\n",
    ],
    ["src/apps/cli/index.ts", "#!/usr/bin/env node\n/** The command. */\nimport 'node:fs';\nimport 'commander';\n"],
    [
      "web/src/app.tsx",
      "/** The dashboard. */\nimport 'preact';\nimport logo from './logo.svg';\nimport { plan } from '../../src/core/planning/index.ts';\nexport const app = [logo, plan, Date];\n",
    ],
    ["test/any.test.ts", "/** Any test. */\nMath.random();\n"],
  ]);
  const plant = (file: string, text: string): string[] => breaches(new Map([...sound, [file, text]]), packages);

  test("and the sound house has none", () => expect(breaches(sound, packages)).toEqual([]));

  const open = "/** Opens well. */\n";
  test.each<[breach: string, file: string, text: string, message: RegExp]>([
    [
      "a room below",
      "src/core/errors/oops.ts",
      "import '../planning/index.ts';",
      /imports planning, a room below errors/,
    ],
    ["the dashboard in a room of servers", "web/src/a.ts", "import '../../src/apps/cli/index.ts';", /not for browsers/],
    [
      "the dashboard by a side door",
      "web/src/a.ts",
      "import '../../src/core/planning/plan.ts';",
      /enters planning by plan/,
    ],
    ["the dashboard with node's modules", "web/src/a.ts", "import 'node:fs';", /dashboard runs in a browser/],
    ["the dashboard with a package of the server", "web/src/a.ts", "import 'commander';", /not bundled/],
    ["a room in the dashboard", "src/core/planning/plan.ts", "import '../../../web/src/app.tsx';", /lies outside src/],
    ["a circle in the dashboard", "web/src/app.tsx", "import './app.tsx';", /imports itself/],
    [
      "a room below, in a test",
      "src/core/errors/a.test.ts",
      "import '../../apps/cli/index.ts';",
      /imports cli, a room below/,
    ],
    [
      "a room below, dynamically",
      "src/core/errors/oops.ts",
      "await import('../../apps/cli/index.ts');",
      /imports cli, a room/,
    ],
    [
      "a side door",
      "src/core/planning/plan.ts",
      "import { oops } from '../errors/oops.ts';",
      /enters errors by oops\.ts/,
    ],
    ["the front door from inside", "src/core/planning/plan.ts", "import '../../index.ts';", /imports src\/index\.ts/],
    [
      "a program in the library",
      "src/index.ts",
      "export * from './apps/cli/index.ts';",
      /imports cli, which is a program/,
    ],
    ["an unknown room", "src/attic/index.ts", "", /src\/attic' is no room/],
    ["a file outside the rooms", "src/helpers.ts", "", /lives outside the rooms/],
    ["the laboratory in a test", "test/a.ts", "import '../lab/a.ts';", /the laboratory is not the product/],
    ["a file outside src", "src/core/planning/plan.ts", "import '../../../test/support/a.ts';", /lies outside src/],
    ["a computed import", "src/core/planning/plan.ts", "const a = 'b'; await import(a);", /computed name/],
    ["an undeclared package", "src/apps/cli/index.ts", "import 'left-pad';", /no dependency/],
    ["a test's package", "src/apps/cli/index.ts", "import 'vitest';", /no dependency/],
    ["a package in the noise", "src/core/noise/a.ts", "import 'commander';", /noise has nobody else's code/],
    ["the package itself", "src/core/planning/plan.ts", "import 'veilgrid/cli';", /no dependency/],
    ["node: in planning", "src/core/planning/plan.ts", "import 'node:fs';", /runs in a browser/],
    ["process", "src/core/errors/oops.ts", "process.exit();", /uses process/],
    ["globalThis.process", "src/core/errors/oops.ts", "globalThis.process;", /uses process/],
    ["Date", "src/core/planning/plan.ts", "export const a = Date.now();", /neither clock nor chance/],
    ["crypto", "src/core/planning/plan.ts", "crypto.getRandomValues(a);", /neither clock nor chance/],
    ["Math.random", "src/apps/cli/index.ts", "Math.random();", /uses Math\.random/],
    ["Math[…]", "src/apps/cli/index.ts", "Math['random']();", /uses Math\.random/],
    ["export default", "src/apps/cli/index.ts", "export default 1;", /default export/],
    ["export as default", "src/apps/cli/index.ts", "const a = 1; export { a as default };", /default export/],
    ["a cycle of two", "src/core/planning/plan.ts", "import './index.ts';", /imports itself by way of/],
  ])("%s", (_, file, text, message) => {
    expect(plant(file, open + text).filter((line) => message.test(line))).toHaveLength(1);
  });

  test.each([
    ["no comment", "export const a = 1;\n"],
    ["a comment too late", "export const a = 1;\n/** Opens late. */\n"],
    ["a comment after imports", "import 'node:fs';\n// Opens late, that is.\n"],
    ["an empty comment", "/** */\nexport const a = 1;\n"],
    ["no sentence", "/** plan */\nexport const a = 1;\n"],
    ["a directive", "// @ts-check is on here.\nexport const a = 1;\n"],
  ])("a file that opens with %s", (_, text) => {
    for (const file of ["src/apps/cli/a.ts", "test/a.ts", "lab/a.ts", "examples/a.ts"])
      expect(plant(file, text)).toEqual([`${file}: does not open with a sentence on what it is for`]);
  });
});
