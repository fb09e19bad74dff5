/** Questions for grids: who is released with whom, when answers are given, and who hears of which error. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { VeilgridError } from "../../core/errors/index.ts";
import { type AskOptions, type GridAnswer, GridAnswers, type GridAnswersOptions } from "./grid-answers.ts";
import type { GridWork } from "./grid-work.ts";
import type { ServedDataset } from "./rows.ts";

const buses: ServedDataset = {
  ...{ name: "buses", source: "/data/buses.csv", recipe: {}, bounds: "0,65", statistics: null, unit: null },
  ...{ plan: "p1", key: "may", onlyReleased: false, created: "2026-05-01T00:00:00Z" },
};

/** Releases in as many milliseconds as it is told; the ledger is a map. */
class FakeWork implements GridWork {
  readonly texts = new Map<string, string>();
  readonly runs: Array<{ dataset: string; grids: readonly string[]; at: number }> = [];
  readonly refused = new Map<string, VeilgridError>();
  takesMs = 30;
  failure: Error | undefined;
  disposed = false;
  #draws = 0;

  async released({ plan, key }: ServedDataset, grid: string): Promise<string | undefined> {
    if (grid === "nowhere") throw new VeilgridError("PARAMETER_INVALID", "grid 'nowhere' is not in the plan");
    return this.texts.get(JSON.stringify([plan, key, grid]));
  }

  async release({ name, plan, key }: ServedDataset, grids: readonly string[]) {
    this.runs.push({ dataset: name, grids, at: Date.now() });
    await new Promise((resolve) => setTimeout(resolve, this.takesMs));
    if (this.failure !== undefined) throw this.failure;
    for (const grid of grids) {
      const id = JSON.stringify([plan, key, grid]);
      if (!this.refused.has(grid) && !this.texts.has(id)) this.texts.set(id, `${grid} #${++this.#draws}`);
    }
    return new Map([...this.refused].filter(([grid]) => grids.includes(grid)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.disposed = true;
    this.failure = new VeilgridError("CANCELLED", "cancelled");
  }
}

let work: FakeWork;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  work = new FakeWork();
});
afterEach(() => void vi.useRealTimers());

function answersOf(options: Partial<GridAnswersOptions> = {}): GridAnswers {
  const files = { ledgerPlace: "unused", ledgerHeadFile: "unused", planFile: () => "unused" };
  return new GridAnswers({ ...files, work, quantumMs: 100, now: () => Date.now(), ...options });
}

interface Asked {
  readonly answer: Promise<GridAnswer>;
  /** When it came, whichever way. */
  at: number | undefined;
}

function ask(
  answers: GridAnswers,
  grid: string,
  options: Partial<AskOptions & { dataset: ServedDataset }> = {},
): Asked {
  const { dataset = buses, onlyReleased = false, signal } = options;
  const answer = answers.ask({ dataset, grid }, { onlyReleased, signal });
  const asked: Asked = { answer, at: undefined };
  const note = (): void => {
    asked.at = Date.now();
  };
  answer.then(note, note);
  return asked;
}

const pass = (milliseconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);
const gridsOf = (): Array<readonly string[]> => work.runs.map(({ grids }) => grids);

describe("runs", () => {
  test("the first question is released at once; those that come meanwhile are released together in the next run", async () => {
    const answers = answersOf();
    const first = ask(answers, "north");
    await pass(10);
    const later = ["south", "west", "south"].map((grid) => ask(answers, grid));
    await pass(500);
    expect(gridsOf()).toEqual([["north"], ["south", "west"]]);
    expect(await first.answer).toEqual({ text: "north #1", fresh: true });
    const texts = await Promise.all(later.map(async ({ answer }) => (await answer).text));
    expect(texts).toEqual(["south #2", "west #3", "south #2"]);
  });

  test("a question for what is being released waits for it and starts no other run", async () => {
    const answers = answersOf();
    const first = ask(answers, "north");
    await pass(10);
    const second = ask(answers, "north");
    await pass(500);
    expect(await second.answer).toEqual(await first.answer);
    expect(work.runs).toHaveLength(1);
  });

  test("what is committed is given at once, for ever the same, without a run", async () => {
    const answers = answersOf();
    const first = ask(answers, "north");
    await pass(500);
    const again = ask(answers, "north");
    await pass(0);
    expect(await again.answer).toEqual({ text: (await first.answer).text, fresh: false });
    expect([again.at, work.runs.length]).toEqual([500, 1]);
  });

  test("one at a time for a dataset, side by side for two", async () => {
    work.takesMs = 1_000;
    const answers = answersOf();
    ask(answers, "north");
    ask(answers, "north", { dataset: { ...buses, name: "trams", key: "trams" } });
    await pass(10);
    ask(answers, "south");
    await pass(500);
    expect(work.runs.map(({ dataset, at }) => [dataset, at])).toEqual([
      ["buses", 0],
      ["trams", 0],
    ]);
    await pass(3_000);
    expect(work.runs).toHaveLength(3);
  });

  test("questions under another plan are not mixed into a run", async () => {
    const answers = answersOf();
    const changed = { ...buses, plan: "p2", key: "june" };
    ask(answers, "north");
    await pass(10);
    const waiting = [ask(answers, "north", { dataset: changed }), ask(answers, "south"), ask(answers, "west")];
    await pass(1_000);
    expect(gridsOf()).toEqual([["north"], ["north"], ["south", "west"]]);
    expect((await waiting[0]!.answer).text).toBe("north #2");
  });

  test("more questions than may wait are refused", async () => {
    const answers = answersOf({ mostWaiting: 2 });
    ask(answers, "north");
    await pass(1);
    ask(answers, "south");
    await pass(1);
    await expect(ask(answers, "west").answer).rejects.toMatchObject({ code: "BUSY" });
    await pass(1_000);
    expect((await answersLater(answers, "west")).fresh).toBe(true);
  });
});

async function answersLater(answers: GridAnswers, grid: string): Promise<GridAnswer> {
  const { answer } = ask(answers, grid);
  await pass(1_000);
  return answer;
}

describe("times", () => {
  test.each([
    [1, 100],
    [99, 100],
    [100, 100],
    [101, 200],
    [340, 400],
  ])("a run of %i ms is answered after %i ms", async (takesMs, at) => {
    work.takesMs = takesMs;
    const asked = ask(answersOf(), "north");
    await pass(1_000);
    expect(asked.at).toBe(at);
  });

  test("the next run begins when the answers of the last are given, not when it was done", async () => {
    const answers = answersOf();
    work.takesMs = 130;
    ask(answers, "north");
    await pass(50);
    const next = ask(answers, "south");
    await pass(1_000);
    expect(work.runs.map(({ at }) => at)).toEqual([0, 200]);
    expect(next.at).toBe(400);
  });

  test("nobody gets what is committed before its run's time, whichever way it is asked for", async () => {
    const answers = answersOf();
    const first = ask(answers, "north");
    await pass(60);
    expect(work.texts.size).toBe(1);
    const again = ask(answers, "north");
    await expect(ask(answers, "north", { onlyReleased: true }).answer).rejects.toMatchObject({ code: "NOT_RELEASED" });
    await pass(30);
    expect(again.at).toBeUndefined();
    await pass(10);
    expect([first.at, again.at]).toEqual([100, 100]);
  });

  test("a failure takes its time too", async () => {
    work.failure = new VeilgridError("INPUT_MALFORMED", "row 7");
    const asked = ask(answersOf(), "north");
    await pass(1_000);
    expect(asked.at).toBe(100);
  });
});

describe("refusals", () => {
  test("only what is released: nothing is released for it", async () => {
    const answers = answersOf();
    await expect(ask(answers, "north", { onlyReleased: true }).answer).rejects.toMatchObject({ code: "NOT_RELEASED" });
    expect(work.runs).toEqual([]);
    await answersLater(answers, "north");
    const asked = ask(answers, "north", { onlyReleased: true });
    expect(await asked.answer).toEqual({ text: "north #1", fresh: false });
  });

  test("a grid that is not in the plan starts no run", async () => {
    await expect(ask(answersOf(), "nowhere").answer).rejects.toMatchObject({ code: "PARAMETER_INVALID" });
    expect(work.runs).toEqual([]);
  });

  test("a grid that the budget refuses is refused to those who asked for it, and to nobody else", async () => {
    work.refused.set("south", new VeilgridError("BUDGET_EXCEEDED", "too much"));
    const answers = answersOf();
    ask(answers, "north");
    await pass(1);
    const [one, other, fine] = ["south", "south", "west"].map((grid) => ask(answers, grid));
    await pass(1_000);
    await expect(one!.answer).rejects.toMatchObject({ code: "BUDGET_EXCEEDED" });
    await expect(other!.answer).rejects.toMatchObject({ code: "BUDGET_EXCEEDED" });
    expect((await fine!.answer).text).toBe("west #2");
  });

  test("a run that fails is told to everyone in it; the next question starts anew", async () => {
    const answers = answersOf();
    work.failure = new VeilgridError("PLAN_MISMATCH", "other data");
    const asked = [ask(answers, "north"), ask(answers, "north")];
    await pass(1_000);
    for (const { answer } of asked) await expect(answer).rejects.toMatchObject({ code: "PLAN_MISMATCH" });
    work.failure = undefined;
    expect((await answersLater(answers, "north")).text).toBe("north #1");
  });
});

describe("leaving and stopping", () => {
  test("who leaves before a run is not released; who leaves during one is, for those who come later", async () => {
    const answers = answersOf();
    const [early, late] = [new AbortController(), new AbortController()];
    const running = ask(answers, "north", { signal: late.signal });
    await pass(1);
    const waiting = ask(answers, "south", { signal: early.signal });
    await pass(1);
    early.abort();
    late.abort();
    for (const { answer } of [running, waiting]) await expect(answer).rejects.toMatchObject({ code: "CANCELLED" });
    await pass(1_000);
    expect(gridsOf()).toEqual([["north"]]);
    expect(await answersLater(answers, "north")).toEqual({ text: "north #1", fresh: false });
    await expect(ask(answers, "north", { signal: late.signal }).answer).rejects.toMatchObject({ code: "CANCELLED" });
  });

  test("at the end everyone is told, and nothing new is released", async () => {
    const answers = answersOf();
    const asked = [ask(answers, "north")];
    await pass(1);
    asked.push(ask(answers, "south"));
    await pass(1);
    const stopped = answers[Symbol.asyncDispose]();
    await pass(1_000);
    await stopped;
    for (const { answer } of asked) await expect(answer).rejects.toMatchObject({ code: "CANCELLED" });
    await expect(ask(answers, "west").answer).rejects.toMatchObject({ code: "CANCELLED" });
    expect([work.disposed, gridsOf()]).toEqual([true, [["north"]]]);
  });
});

describe("what is in the ledger and not to be seen yet", () => {
  test("is in flight until its beat, whatever the source is called meanwhile", async () => {
    const answers = answersOf();
    const asked = answers.ask({ dataset: buses, grid: "north" }, { onlyReleased: false });
    await vi.advanceTimersByTimeAsync(40);
    expect(work.texts.size).toBe(1);
    const moved = { ...buses, source: "/data/moved.csv" };
    expect(answers.isInFlight({ dataset: moved, grid: "north" })).toBe(true);
    expect(answers.isInFlight({ dataset: buses, grid: "south" })).toBe(false);
    await vi.advanceTimersByTimeAsync(60);
    expect((await asked).fresh).toBe(true);
    expect(answers.isInFlight({ dataset: buses, grid: "north" })).toBe(false);
  });
});

describe("when a run begins", () => {
  test("the dataset is taken as it is then", async () => {
    const prepare = async (dataset: ServedDataset): Promise<ServedDataset> => ({ ...dataset, name: "resolved" });
    const asked = answersOf({ prepare }).ask({ dataset: buses, grid: "north" }, { onlyReleased: false });
    await vi.advanceTimersByTimeAsync(100);
    await asked;
    expect(work.runs.map(({ dataset }) => dataset)).toEqual(["resolved"]);
  });

  test("a refusal reaches who asked, and nothing is released", async () => {
    const prepare = async (): Promise<ServedDataset> => {
      throw new VeilgridError("NOT_RELEASED", "no longer");
    };
    const asked = answersOf({ prepare }).ask({ dataset: buses, grid: "north" }, { onlyReleased: false });
    const refusal = asked.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(100);
    expect(await refusal).toMatchObject({ code: "NOT_RELEASED" });
    expect(work.runs).toEqual([]);
  });
});
