/** Three planners beside the page: one for first answers, which is never kept busy, one that refines, one for the curve. The last two start once there is a first answer. */
import { type Occupancy, occupancyCsvChunks } from "../../../src/core/occupancy/index.ts";
import type { Curve, FromWorker, PlanAsked, PlanSettings, PlanView, ToWorker, Work } from "./messages.ts";

export interface PlannerNews {
  onSketch(plan: PlanView, answers: PlanAsked): void;
  onRefined(plan: PlanView, answers: PlanAsked): void;
  onCurve(curve: Curve, of: PlanSettings, done: boolean): void;
  onProgress(step: string): void;
  onFailed(message: string): void;
}

type Role = "sketch" | "refine" | "curve";

/** While something is dragged only first answers are wanted. */
const STILL_MILLISECONDS = 140;

export class Planner {
  readonly #workers = new Map<Role, Worker>();
  readonly #ids: Record<Role, number> = { sketch: 0, refine: 0, curve: 0 };
  readonly #news: PlannerNews;
  readonly #csv: Uint8Array;
  /** What the first planner is at, and what is to come after it; what lies between is skipped. */
  #sketching = false;
  #next: Work | undefined;
  #isRefined = false;
  /** What each planner was asked last. */
  readonly #asked = new Map<Role, PlanAsked>();
  #curveOf: PlanSettings | undefined;
  #still: ReturnType<typeof setTimeout> | undefined;
  /** Wanted before there was a first answer. */
  #afterFirst: Array<() => void> | undefined = [];

  constructor(occupancy: Occupancy, news: PlannerNews) {
    this.#news = news;
    this.#csv = bytesOf(occupancy);
  }

  /** A first answer at once, a refined one when it is there; whatever was asked before is dropped. */
  plan(asked: PlanAsked, near: number | undefined): void {
    this.#isRefined = false;
    const work: Work = { kind: "sketch", asked, near };
    if (this.#sketching) this.#next = work;
    else this.#sketch(work);
    this.#ids.refine += 1;
    clearTimeout(this.#still);
    const refine = (): void => this.#send("refine", { kind: "refine", asked });
    this.#still = setTimeout(() => this.#afterFirstAnswer(refine), STILL_MILLISECONDS);
  }

  curve(settings: PlanSettings): void {
    this.#afterFirstAnswer(() => this.#send("curve", { kind: "curve", settings }));
  }

  close(): void {
    clearTimeout(this.#still);
    for (const worker of this.#workers.values()) worker.terminate();
  }

  #sketch(work: Work): void {
    this.#sketching = true;
    this.#next = undefined;
    this.#send("sketch", work);
  }

  #afterFirstAnswer(work: () => void): void {
    if (this.#afterFirst === undefined) work();
    else this.#afterFirst.push(work);
  }

  #send(role: Role, work: Work): void {
    this.#ids[role] += 1;
    if (work.kind === "curve") this.#curveOf = work.settings;
    else this.#asked.set(role, work.asked);
    const message: ToWorker = { kind: "work", id: this.#ids[role], work };
    this.#worker(role).postMessage(message);
  }

  #worker(role: Role): Worker {
    const known = this.#workers.get(role);
    if (known !== undefined) return known;
    const worker = new Worker(new URL("./planner.worker.ts", import.meta.url), { type: "module", name: role });
    worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => this.#take(role, data));
    worker.addEventListener("error", ({ message }) => this.#lose(role, message));
    worker.addEventListener("messageerror", () => this.#lose(role, ""));
    const message: ToWorker = { kind: "occupancy", csv: this.#csv };
    worker.postMessage(message);
    this.#workers.set(role, worker);
    return worker;
  }

  /** The next question starts another. */
  #lose(role: Role, message: string | undefined): void {
    this.#workers.get(role)?.terminate();
    this.#workers.delete(role);
    if (role === "sketch") this.#sketching = false;
    this.#news.onFailed(
      message || "The planner could not be loaded. Reload the page, or see whether the service is there.",
    );
  }

  #take(role: Role, data: FromWorker): void {
    if (data.id !== this.#ids[role]) return;
    const answers = this.#asked.get(role);
    if (role === "sketch" && data.kind !== "progress") {
      this.#sketching = false;
      const waiting = this.#afterFirst ?? [];
      this.#afterFirst = undefined;
      for (const work of waiting) work();
      if (this.#next !== undefined) this.#sketch(this.#next);
    }
    if (data.kind === "curve") this.#news.onCurve(data.curve, this.#curveOf!, data.done);
    else if (data.kind === "progress") {
      if (role === "refine") this.#news.onProgress(data.step);
    } else if (role === "refine") {
      this.#isRefined = true;
      if (data.kind === "plan") this.#news.onRefined(data.plan, this.#asked.get(role)!);
      else this.#news.onFailed(data.message);
    } else if (data.kind === "failed") {
      if (!this.#isRefined) this.#news.onFailed(data.message);
    } else if (!this.#isRefined) this.#news.onSketch(data.plan, answers!);
  }
}

function bytesOf(occupancy: Occupancy): Uint8Array {
  const chunks = [...occupancyCsvChunks(occupancy)];
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
