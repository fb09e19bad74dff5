/** Tests questions for grids: which are released together, when answers are given, and who gets which error. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sampleResult } from "../../../test/support/sample-result.ts";
import { VeilgridError } from "../../core/errors/index.ts";
import type { Plan } from "../../core/planning/index.ts";
import type { Committed } from "../../publish/ledger/index.ts";
import { gridText, headerText } from "../../publish/release/index.ts";
import { GridAnswers, type GridAnswersOptions, type GridReleaser, type PlannedDataset } from "./grid-answers.ts";

const buses: PlannedDataset = {
  ...{ name: "buses", source: "/data/buses.csv", recipe: {}, bounds: "0,65", statistics: null, unit: null },
  ...{ plan: "p1", key: "may", onlyReleased: false, created: "2026-05-01T00:00:00Z" },
};
const HEADER = headerText(sampleResult());
const PLAN = { grids: ["north", "south", "west"] } as unknown as Plan;

/** Releases in as many milliseconds as it is told; the ledger is a map. */
class FakeWork implements GridReleaser {
  readonly texts = new Map<string, string>();
  readonly runs: Array<{ dataset: string; grids: readonly string[]; at: number }> = [];
  readonly refused = new Map<string, VeilgridError>();
  takesMs = 30;
  failure: Error | undefined;
  disposed = false;
  #draws = 0;

  async committed({ key, parts = [] }: { key: string; parts?: readonly string[] | undefined }): Promise<Committed> {
    const texts = parts.flatMap((grid) => {
      const text = this.texts.get(JSON.stringify([key, grid]));
      return text === undefined ? [] : [[grid, text] as const];
    });
    return { planHash: key === "june" ? "p2" : "p1", header: HEADER, texts: new Map(texts) };
  }

  async release({ name, key }: PlannedDataset, grids: readonly string[]) {
    this.runs.push({ dataset: name, grids, at: Date.now() });
    await new Promise((resolve) => setTimeout(resolve, this.takesMs));
    if (this.failure !== undefined) throw this.failure;
    for (const grid of grids) {
      const id = JSON.stringify([key, grid]);
      if (!this.refused.has(grid) && !this.texts.has(id))
        this.texts.set(id, gridText({ grid, users: ++this.#draws, samples: 0, kept: 0, statistics: null }));
    }
    return new Map([...this.refused].filter(([grid]) => grids.includes(grid)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.disposed = true;
    this.failure = new VeilgridError("CANCELLED", "cancelled");
  }
}

/** Which grid a text is of, and in which place it was released. */
function shown(text: string): string {
  const { grid, users } = (JSON.parse(text) as { rows: [{ grid: string; users: number }] }).rows[0];
  return `${grid} #${users}`;
}

let work: FakeWork;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  work = new FakeWork();
});
afterEach(() => void vi.useRealTimers());

function answersOf(options: Partial<GridAnswersOptions> = {}): GridAnswers {
  const parties = { planOf: async () => PLAN, ledger: work, releaser: work };
  return new GridAnswers({ ...parties, tickMs: 100, now: () => Date.now(), ...options });
}

interface Asked {
  readonly answer: Promise<string>;
  /** When it came, whichever way. */
  at: number | undefined;
}

function ask(answers: GridAnswers, grid: string, { dataset = buses, onlyReleased = false } = {}): Asked {
  const answer = answers.ask(dataset, grid, { onlyReleased }).then(shown);
  const asked: Asked = { answer, at: undefined };
  const note = (): void => {
    asked.at = Date.now();
  };
  answer.then(note, note);
  return asked;
}

const pass = (milliseconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);
const gridsOf = (): Array<readonly string[]> => work.runs.map(({ grids }) => grids);

async function answersLater(answers: GridAnswers, grid: string): Promise<string> {
  const { answer } = ask(answers, grid);
  await pass(1_000);
  return answer;
}

describe("runs", () => {
  test("the first question is released at once; those that come meanwhile are released together in the next run", async () => {
    const answers = answersOf();
    const first = ask(answers, "north");
    await pass(10);
    const later = ["south", "west", "south"].map((grid) => ask(answers, grid));
    await pass(500);
    expect(gridsOf()).toEqual([["north"], ["south", "west"]]);
    expect(await first.answer).toBe("north #1");
    expect(await Promise.all(later.map(({ answer }) => answer))).toEqual(["south #2", "west #3", "south #2"]);
  });

  test("a question for what is being released waits for it and starts no other run", async () => {
    const answers = answersOf();
    const first = ask(answers, "north");
    await pass(10);
    const second = ask(answers, "north");
    await pass(500);
    expect([await first.answer, await second.answer]).toEqual(["north #1", "north #1"]);
    expect(work.runs).toHaveLength(1);
  });

  test("what is committed is given at once, for ever the same, without a run", async () => {
    const answers = answersOf();
    await answersLater(answers, "north");
    const again = ask(answers, "north");
    await pass(0);
    expect([await again.answer, again.at, work.runs.length]).toEqual(["north #1", 1_000, 1]);
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
    expect(await waiting[0]!.answer).toBe("north #2");
  });

  test("more questions than may wait are refused", async () => {
    const answers = answersOf({ mostWaiting: 2 });
    ask(answers, "north");
    await pass(1);
    ask(answers, "south");
    await pass(1);
    await expect(ask(answers, "west").answer).rejects.toMatchObject({ code: "BUSY" });
    await pass(1_000);
    expect(await answersLater(answers, "west")).toBe("west #3");
  });
});

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

  test("nobody gets what is committed before its run's time, whichever way it is asked for, whatever the source is called meanwhile", async () => {
    const answers = answersOf();
    const first = ask(answers, "north");
    await pass(60);
    expect(work.texts.size).toBe(1);
    const moved = { ...buses, source: "/data/moved.csv" };
    const again = ask(answers, "north", { dataset: moved });
    await expect(ask(answers, "north", { onlyReleased: true }).answer).rejects.toMatchObject({ code: "NOT_RELEASED" });
    expect((await answers.released(moved, PLAN.grids))!.texts.size).toBe(0);
    await pass(30);
    expect(again.at).toBeUndefined();
    await pass(10);
    expect([first.at, again.at]).toEqual([100, 100]);
    expect([...(await answers.released(moved, PLAN.grids))!.texts.keys()]).toEqual(["north"]);
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
    expect(await ask(answers, "north", { onlyReleased: true }).answer).toBe("north #1");
  });

  test("a grid that is not in the plan, and a dataset without one, start no run", async () => {
    await expect(ask(answersOf(), "nowhere").answer).rejects.toMatchObject({ code: "NOT_FOUND" });
    const unplanned = answersOf().ask({ ...buses, plan: null }, "north", { onlyReleased: false });
    await expect(unplanned).rejects.toMatchObject({ code: "NOT_FOUND" });
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
    expect(await fine!.answer).toBe("west #2");
  });

  test("a run that fails fails for everyone in it; the next question starts anew", async () => {
    const answers = answersOf();
    work.failure = new VeilgridError("PLAN_MISMATCH", "other data");
    const asked = [ask(answers, "north"), ask(answers, "north")];
    await pass(1_000);
    for (const { answer } of asked) await expect(answer).rejects.toMatchObject({ code: "PLAN_MISMATCH" });
    work.failure = undefined;
    expect(await answersLater(answers, "north")).toBe("north #1");
  });

  test("at the end everyone hears of it, and nothing new is released", async () => {
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
