/**
 * Loaded before the built command (`node --import`), and with it into its threads: stops it at a named moment for whoever runs it to do
 * harm there, or does the harm that can only be done from inside. HAZARD is JSON: {at, what, …} or several; without it nothing happens.
 */
import { existsSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread, parentPort } from "node:worker_threads";
import { SECRET } from "./secret.mjs";

const given = process.env.HAZARD === undefined ? [] : [JSON.parse(process.env.HAZARD)].flat();

/** Moves the wall clock, for everyone who asks it. */
function shiftClock(milliseconds) {
  const Real = globalThis.Date;
  globalThis.Date = class extends Real {
    constructor(...given) {
      if (given.length === 0) super(Real.now() + milliseconds);
      else super(...given);
    }
    static now() {
      return Real.now() + milliseconds;
    }
  };
}

const harms = {
  /** Says that it is there, and waits to be told to go on. */
  async wait({ reached, go }) {
    writeFileSync(reached, "");
    while (!existsSync(go)) await sleep(2);
  },
  kill: () => process.kill(process.pid, "SIGKILL"),
  clock: ({ milliseconds }) => shiftClock(milliseconds),
  /** From here on the engine has next to no memory. */
  async starve() {
    const { Database } = await import("../../dist/data/engines/duckdb/database.js");
    const make = Database.prototype.make;
    Database.prototype.make = async function (...rest) {
      await this.run("SET memory_limit = '1MB'");
      return make.apply(this, rest);
    };
  },
  /** The thread ends as if it had been ended from outside. */
  exit: () => process.exit(7),
  throw: () => {
    setImmediate(() => {
      // As an engine might say it: over several lines, one of which looks like a frame.
      throw new Error(`no number: ${SECRET}\n    at ${SECRET}`);
    });
    return sleep(60_000);
  },
  heap: () => {
    const kept = [];
    for (;;) kept.push(Array.from({ length: 1_000 }, (_, index) => ({ index })));
  },
};

for (const hazard of given) {
  const { at, what, once } = hazard;
  let isDone = false;
  const harm = async () => {
    // Once in a thread, or, with a file to tell the others, once in all.
    if (once !== undefined && existsSync(once)) {
      if (hazard.others === "hang") for (;;);
      return;
    }
    if (isDone) return;
    isDone = true;
    if (once !== undefined) writeFileSync(once, "");
    await harms[what](hazard);
  };
  if (at === "start") await harm();
  else if (at === "task") {
    // A thread of `reproduce`, in the middle of its work: when it first says how far it is.
    if (!isMainThread) {
      const say = parentPort.postMessage;
      parentPort.postMessage = function (...message) {
        void harm();
        return say.apply(this, message);
      };
    }
  } else if (at === "cut totals") {
    const { Database } = await import("../../dist/data/engines/duckdb/database.js");
    const make = Database.prototype.make;
    Database.prototype.make = async function (table, ...rest) {
      if (table === "cut_sums") await harm();
      return make.call(this, table, ...rest);
    };
  } else {
    const [when, method] = at.split(" ");
    const { Ledger } = await import("#publish/ledger");
    const real = Ledger.prototype[method];
    Ledger.prototype[method] = async function (...given) {
      if (when === "before") await harm();
      const result = await real.apply(this, given);
      if (when === "after") await harm();
      return result;
    };
  }
}
