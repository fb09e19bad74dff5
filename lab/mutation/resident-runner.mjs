/**
 * A test runner for Stryker that loads the tests of a room once and holds one mutant after the other to them. Stryker's own for vitest
 * starts a thread and loads everything again for each, which takes a hundred times longer than most of these tests.
 */
import { readFileSync } from "node:fs";
import { BroadcastChannel } from "node:worker_threads";
import { PluginKind } from "@stryker-mutator/api/plugin";
import { DryRunStatus, MutantRunStatus } from "@stryker-mutator/api/test-runner";
import { createVitest } from "vitest/node";

/** Which part of so many is tried, from 1. */
const [part, parts] = process.env.MUTATION_SAMPLE.split("/").map(Number);
/** Ids of those that are tried again, or null for all. */
const wanted = JSON.parse(readFileSync(process.env.MUTATION_WANTED, "utf8"));
const isWanted = (id) => Number(id) % parts === part - 1 && (wanted === null || wanted.includes(id));

class ResidentRunner {
  #vitest;
  #channel;
  #answer;

  capabilities() {
    return { reloadEnvironment: false };
  }

  async init() {
    process.env.NODE_ENV = "test";
    process.env.VITEST = "1";
    // Threads of this process hear it, and nobody else.
    this.#channel = new BroadcastChannel("mutants");
    this.#channel.onmessage = ({ data }) => {
      if (data.from === "tests") this.#answer(data);
    };
    this.#vitest = await createVitest("test", {
      config: "lab/mutation/vitest.config.ts",
      watch: false,
      reporters: [],
      onConsoleLog: () => false,
    });
    const ready = this.#next();
    this.#vitest.start().catch((error) => this.#answer({ failure: String(error?.stack ?? error) }));
    await ready;
  }

  /** What the tests say next. */
  #next() {
    return new Promise((resolve, reject) => {
      this.#answer = (answer) => (answer.failure === undefined ? resolve(answer) : reject(new Error(answer.failure)));
    });
  }

  #ask(question) {
    const answer = this.#next();
    this.#channel.postMessage({ from: "stryker", ...question });
    return answer;
  }

  async dryRun() {
    const { tests, mutantCoverage } = await this.#ask({ run: "all" });
    return { status: DryRunStatus.Complete, tests, mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter }) {
    if (!isWanted(activeMutant.id)) return { status: MutantRunStatus.Error, errorMessage: "not asked for" };
    const { ran, killer, message, isEndless } = await this.#ask({
      run: "mutant",
      mutant: activeMutant.id,
      testFilter,
    });
    if (isEndless) return { status: MutantRunStatus.Timeout, reason: message };
    if (killer === undefined) return { status: MutantRunStatus.Survived, nrOfTests: ran };
    return { status: MutantRunStatus.Killed, failureMessage: message, killedBy: [killer], nrOfTests: ran };
  }

  async dispose() {
    this.#channel.postMessage({ from: "stryker", run: "no more" });
    await this.#vitest.close();
    this.#channel.close();
  }
}

export const strykerPlugins = [{ kind: PluginKind.TestRunner, name: "resident", factory: () => new ResidentRunner() }];
