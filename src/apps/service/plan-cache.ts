/** Keeps the few plans that questions are answered under, read and parsed once each. */
import { readFile } from "node:fs/promises";
import { VeilgridError } from "../../core/errors/index.ts";
import { type Plan, readPlan } from "../../core/planning/index.ts";

const MOST = 32;

export class PlanCache {
  readonly #fileOf: (hash: string) => string;
  readonly #plans = new Map<string, Promise<Plan>>();

  constructor(fileOf: (hash: string) => string) {
    this.#fileOf = fileOf;
  }

  /** A plan's hash names its text for good, so that it is never read again. */
  plan(hash: string): Promise<Plan> {
    const known = this.#plans.get(hash);
    if (known !== undefined) return known;
    const reading = this.#read(hash);
    reading.catch(() => this.#plans.delete(hash));
    this.#plans.set(hash, reading);
    for (const oldest of this.#plans.keys()) {
      if (this.#plans.size <= MOST) break;
      this.#plans.delete(oldest);
    }
    return reading;
  }

  async #read(hash: string): Promise<Plan> {
    const plan = readPlan(await readFile(this.#fileOf(hash), "utf8"), "the dataset's plan");
    if (plan.hash === hash) return plan;
    throw new VeilgridError("PLAN_ALTERED", "the file of the dataset's plan holds another plan");
  }
}
