/** The few plans that questions are answered under, read from disk once each. */

import { readFile } from "node:fs/promises";
import { type Plan, readPlan } from "../../core/planning/index.ts";

const MOST = 32;

export class PlanShelf {
  readonly #fileOf: (hash: string) => string;
  readonly #plans = new Map<string, Promise<Plan>>();

  constructor(fileOf: (hash: string) => string) {
    this.#fileOf = fileOf;
  }

  /** A plan's hash names its text for good, so what was read once is not read again. */
  plan(hash: string): Promise<Plan> {
    const known = this.#plans.get(hash);
    if (known !== undefined) return known;
    const reading = readFile(this.#fileOf(hash), "utf8").then((text) => readPlan(text, "the dataset's plan"));
    reading.catch(() => this.#plans.delete(hash));
    this.#plans.set(hash, reading);
    for (const oldest of this.#plans.keys()) {
      if (this.#plans.size <= MOST) break;
      this.#plans.delete(oldest);
    }
    return reading;
  }
}
