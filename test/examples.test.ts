/** Runs the examples: the program as it stands, the browser page bundled and without anything of Node around it. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import vm from "node:vm";
import { build, type InlineConfig } from "vite";
import { describe, expect, test } from "vitest";
import type { Fields, planCsv } from "../examples/browser/plan-csv.ts";
import { readVectors, root, runNode, veilgridDone } from "./support/cli.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

test("plan-an-occupancy prints the right numbers", async () => {
  const { stdout, stderr, status } = await runNode([path.join(root, "examples/plan-an-occupancy.mjs")], { in: root });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  // By exact fractions in another language: E is the Station's, 65·18/38 in both plans. Joint loss 17/9 in both:
  // bus 4 has 8/9 + 18/18 and nothing that is dropped touches it, which the simple rule's 3 and 2 do not tell.
  expect(stdout).toBe(`baseline: drops nobody
  most grids of one user (K)  3
  loss, simple rule           3.000
  loss, joint rule            1.889  (what a release is charged)
  worst guaranteed error      30.789 km/h
  data-free error             32.500 km/h  (publishing midpoints)
clip-user: drops bus 1 from Park Lane, bus 2 from Main Street
  most grids of one user (K)  2
  loss, simple rule           2.000
  loss, joint rule            1.889  (what a release is charged)
  worst guaranteed error      30.789 km/h
  data-free error             32.500 km/h  (publishing midpoints)
progress was reported on the way
`);
});

describe("the browser page", () => {
  const page = path.join(root, "examples", "browser");

  async function bundle(config: InlineConfig["build"]): Promise<Map<string, string>> {
    const outDir = temporaryFolder();
    await build({
      root: page,
      base: "./",
      configFile: false,
      logLevel: "error",
      build: { ...config, outDir, emptyOutDir: false },
    });
    const files = readdirSync(outDir, { recursive: true, encoding: "utf8" });
    const scripts = files.filter((file) => /\.m?js$/.test(file));
    return new Map(scripts.map((file) => [file, readFileSync(path.join(outDir, file), "utf8")]));
  }

  /** The planning function of the page as a script that leaves `page.planCsv` behind. */
  async function bundlePlanCsv(): Promise<string> {
    const entry = path.join(page, "plan-csv.ts");
    const scripts = await bundle({ lib: { entry, formats: ["iife"], name: "page", fileName: "page" } });
    expect(scripts.size).toBe(1);
    return [...scripts.values()][0]!;
  }

  test("bundles without anything of Node", async () => {
    const scripts = await bundle({});
    const code = [...scripts.values()].join("\n");
    console.info(`the page's script: ${(code.length / 1024).toFixed(1)} KiB, minified`);
    expect(code).toContain("user,grid,count");
    const ofNode = /["'`]node:|__vite-browser-external|\bprocess\.|\bBuffer\b|\brequire\(/g;
    expect(code.match(ofNode) ?? []).toEqual([]);
  });

  test("plans like the command, with nothing but what a browser has", async () => {
    const vector = readVectors().find((each) => each.name === "small")!;
    const globals = { TextEncoder, TextDecoder, setTimeout, clearTimeout, AbortController, AbortSignal };
    const context = vm.createContext({ ...globals });
    expect(vm.runInContext("typeof process + typeof Buffer + typeof setImmediate + typeof require", context)).toBe(
      "undefined".repeat(4),
    );
    vm.runInContext(`${await bundlePlanCsv()}; globalThis.page = page;`, context);
    const inBrowser = (context["page"] as { planCsv: typeof planCsv }).planCsv;

    const fields: Fields = {
      bounds: `0,${vector.upper}`,
      epsilon: vector.epsilon,
      statistics: "mean,variance",
      strategy: "clip-user",
    };
    const csv = readFileSync(vector.csv, "utf8");
    const steps: string[] = [];
    const summary = await inBrowser(csv, fields, { onProgress: ({ step }) => steps.push(step) });
    expect(steps.length).toBeGreaterThan(0);
    expect(summary.suppressed.length).toBe(vector.suppressed.length);

    const flags = ["--upper", vector.upper, "--epsilon", vector.epsilon, "--strategy", "clip-user", "--json"];
    const onNode = await veilgridDone(["plan", vector.csv, ...flags], { in: root });
    // What the command adds is about the source, which a page has no name for.
    expect({ ...JSON.parse(JSON.stringify(summary)), warnings: [] }).toEqual(JSON.parse(onNode.stdout));

    await expect(inBrowser("user,grid\n", fields)).rejects.toMatchObject({ code: "INPUT_MALFORMED" });
    await expect(inBrowser(csv, fields, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "CANCELLED" });
  });
});
