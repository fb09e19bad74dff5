/** Runs bundled test files over and over, each time with another change switched on; stops at the first test that notices. */
import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import fc from "fast-check";
import { expect } from "vitest";

/** Of any property; `MUTATION_RUNS` says otherwise. */
const MOST_RUNS = Number(process.env.MUTATION_RUNS ?? 30);
const realRequire = createRequire(import.meta.url);

/** Thousands of mutants are held to every property, and most fall at once: fewer runs, and the same ones for all. */
function assertWithFewRuns(property, options = {}) {
  const numRuns = Math.min(options.numRuns ?? MOST_RUNS, MOST_RUNS);
  return fc.assert(property, { seed: 1, ...options, numRuns, endOnFailure: true });
}

/** What a test file imports, filling `tests`. */
function importsFor(tests) {
  const test = (name, body) => tests.push({ name, body });
  const describe = (_name, body) => body();
  const each = (declare) => (cases) => (name, body) => {
    for (const [at, item] of cases.entries())
      declare(`${name} (${at + 1})`, () => (Array.isArray(item) ? body(...item) : body(item)));
  };
  test.each = each(test);
  describe.each = each(describe);
  const known = {
    vitest: { __esModule: true, test, it: test, describe, expect },
    "fast-check": { ...fc, __esModule: true, default: { ...fc, assert: assertWithFewRuns } },
  };
  return (name) => known[name] ?? realRequire(name);
}

const scripts = workerData.map(({ name, code }) => ({
  name,
  evaluate: new Function("require", "module", "exports", code),
}));

function load({ evaluate }) {
  const tests = [];
  evaluate(importsFor(tests), { exports: {} }, {});
  return tests;
}

/** Per script, by mutant: which tests meet it, and how long they take. */
async function look() {
  const coverage = [];
  for (const script of scripts) {
    const cover = { static: {}, perTest: {} };
    globalThis.__stryker__ = { mutantCoverage: cover };
    const started = performance.now();
    const tests = load(script);
    const loadMs = performance.now() - started;
    const ms = [];
    for (const [at, { name, body }] of tests.entries()) {
      globalThis.__stryker__.currentTestId = String(at);
      const begun = performance.now();
      try {
        await body();
      } catch (error) {
        return { failed: `${script.name}: ${name}: ${error.message}` };
      }
      ms.push(performance.now() - begun);
    }
    coverage.push(meetings(scripts.indexOf(script), cover, ms, loadMs));
  }
  return { coverage };
}

function meetings(script, cover, ms, loadMs) {
  const met = {};
  const all = ms.map((_, at) => at);
  const of = (id) => {
    met[id] ??= { script, tests: [], hits: 0 };
    return met[id];
  };
  for (const [at, counts] of Object.entries(cover.perTest)) {
    for (const [id, hits] of Object.entries(counts)) {
      of(id).tests.push(Number(at));
      of(id).hits += hits;
    }
  }
  // What runs while the file is loaded is in the hands of all its tests.
  for (const [id, hits] of Object.entries(cover.static)) {
    of(id).tests = all;
    of(id).hits += hits;
  }
  for (const each of Object.values(met)) {
    each.tests = [...each.tests].sort((left, right) => ms[left] - ms[right]);
    each.ms = each.tests.reduce((sum, at) => sum + ms[at], loadMs);
  }
  return met;
}

async function tryOut({ id, chosen }) {
  for (const { script, tests, hits } of [...chosen].sort((left, right) => left.ms - right.ms)) {
    // Loops without an end are told by how often they come past the change.
    globalThis.__stryker__ = { activeMutant: id, hitCount: 0, hitLimit: 1000 + 10 * hits };
    let noticedBy = `${scripts[script].name}: loading`;
    try {
      const loaded = load(scripts[script]);
      for (const at of tests) {
        noticedBy = `${scripts[script].name}: ${loaded[at]?.name}`;
        await loaded[at].body();
      }
    } catch {
      return { killedBy: noticedBy };
    }
  }
  return {};
}

parentPort.on("message", async (question) => {
  parentPort.postMessage(question.kind === "look" ? await look() : await tryOut(question));
});
