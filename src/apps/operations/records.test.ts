/** Tests records that a program gives as rows: strange rows, what is refused, and when they are looked at. */
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { Ledger, MemoryStore } from "../../publish/ledger/index.ts";
import { planRecords, type RecordRow, releasePlan, render, surveyRecords } from "./index.ts";

const COLUMNS = { user: "who", value: "speed", by: "line" };
const SECRET = "471108154711";
const ROWS: RecordRow[] = Array.from({ length: 60 }, (_, at) => ({
  who: `p${at % 12}`,
  line: `g${at % 2}`,
  speed: at % 30,
}));

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  vi.stubEnv("TMPDIR", folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Files of rows that are there now. */
const rowFiles = (): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"));

const survey = (rows: unknown, missing?: string) =>
  surveyRecords({ rows: rows as Iterable<RecordRow>, ...COLUMNS, ...(missing && { missing }) });

async function ledgerOf(budget: number): Promise<Ledger> {
  const ledger = new Ledger(new MemoryStore());
  await ledger.init({ dataset: "d", budget, occupancyIsPublic: true });
  return ledger;
}

const planOf = async () =>
  (await planRecords({ rows: ROWS, ...COLUMNS }, { upper: 65, statistics: "mean", loss: 1 })).plan;

test.each([
  null,
  undefined,
  SECRET,
  [SECRET],
  7,
])("a row that is no record is refused by its number: %j", async (row) => {
  await expect(survey([...ROWS, row])).rejects.toThrow("record 61 of `rows` is not an object with a value by column");
  expect(rowFiles()).toEqual([]);
});

test("a row that JSON cannot hold is refused by its number", async () => {
  const circle: Record<string, unknown> = { who: "p1", line: "g1", speed: 1 };
  circle["circle"] = circle;
  await expect(survey([...ROWS, circle])).rejects.toMatchObject({ code: "INPUT_MALFORMED" });
});

test.each([
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
])("%d is no number, as in a file, and not taken for a missing value", async (speed) => {
  await expect(survey([...ROWS, { ...ROWS[0], speed }], "midpoint")).rejects.toThrow(
    "row 61: column 'speed' holds text that is not a number",
  );
});

test("what fails in the program's own iterable is not laid to the disk; its error is the cause, and no part of the message", async () => {
  const own = Object.assign(new Error(SECRET), { code: "ENOSPC" });
  function* failing() {
    yield* ROWS;
    throw own;
  }
  const refusal = { code: "INPUT_UNREADABLE", cause: own, message: expect.not.stringContaining(SECRET) };
  await expect(survey(failing())).rejects.toMatchObject(refusal);
  for (const rows of [5, undefined, null])
    await expect(survey(rows)).rejects.toThrow("`rows` cannot be read past 0 records: give an iterable of objects");
  expect(rowFiles()).toEqual([]);
});

test("rows stand in a file for their owner only, which is gone when the work is cancelled", async () => {
  const abort = new AbortController();
  let isClosed = false;
  let modes: number[] = [];
  async function* endless() {
    try {
      for (let at = 0; ; at++) {
        yield ROWS[at % 60]!;
        if (at % 20_000 === 19_999) await new Promise((resolve) => setTimeout(resolve, 50));
        const [file] = at >= 20_000 ? rowFiles() : [];
        if (file === undefined) continue;
        modes = [file, path.dirname(file)].map((name) => statSync(path.join(folder, name)).mode & 0o777);
        abort.abort();
      }
    } finally {
      isClosed = true;
    }
  }
  const work = surveyRecords({ rows: endless(), ...COLUMNS }, { signal: abort.signal });
  await expect(work).rejects.toMatchObject({ code: "CANCELLED" });
  expect(modes).toEqual([0o600, 0o700]);
  expect(isClosed).toBe(true);
  expect(rowFiles()).toEqual([]);
});

test("a key that is released is answered without a look at the rows, and so is a release that cannot be paid", async () => {
  const chosen = await planOf();
  const ledger = await ledgerOf(10);
  const request = { plan: chosen, ledger, dataset: "d", key: "k" };
  const first = await releasePlan({ ...request, records: { rows: ROWS, ...COLUMNS } });
  const untouched: Iterable<RecordRow> = {
    [Symbol.iterator]: () => {
      throw new Error("looked at");
    },
  };
  const again = await releasePlan({ ...request, records: { rows: untouched, ...COLUMNS } });
  expect([again.text, again.chargedGrids]).toEqual([first.text, 0]);

  const poor = { ...request, ledger: await ledgerOf(0.001), records: { rows: untouched, ...COLUMNS } };
  await expect(releasePlan(poor)).rejects.toMatchObject({ code: "BUDGET_EXCEEDED" });
  const strange = { ...request, key: "new", about: { title: "a\nb" }, records: { rows: untouched, ...COLUMNS } };
  await expect(releasePlan(strange)).rejects.toMatchObject({ code: "PARAMETER_INVALID" });
});

test("concurrent releases of one key give the same bytes and charge once", async () => {
  const chosen = await planOf();
  const ledger = await ledgerOf(10);
  const request = { plan: chosen, ledger, dataset: "d", key: "k", records: { rows: ROWS, ...COLUMNS } };
  const released = await Promise.all([1, 2, 3].map(() => releasePlan(request)));
  expect(new Set(released.map(({ text }) => text)).size).toBe(1);
  expect(released.filter(({ chargedGrids }) => chargedGrids > 0)).toHaveLength(1);
  const [standing] = await ledger.show({ dataset: "d" });
  expect(standing!.loss.equals(chosen.loss)).toBe(true);
  for (const format of ["toString", "constructor", "__proto__"])
    await expect(render(released[0]!.result, format as "csv")).rejects.toMatchObject({ code: "USAGE" });
});

test("users called __proto__ and constructor, with control characters, or by number are users", async () => {
  const names = ["__proto__", "constructor", "a\u0000\u001b[31m", 7, 10n ** 30n];
  const rows = names.flatMap((who) => [1, 2].map((speed) => ({ who, line: "__proto__", speed })));
  const { occupancy } = await survey(rows);
  expect([...occupancy.users].sort()).toEqual(names.map(String).sort());
});

test("an option that takes a value is not on or off", async () => {
  for (const option of [{ title: true }, { loss: true }, { upper: true }] as never[]) {
    const options = { upper: 65, loss: 1, ...(option as object) };
    await expect(planRecords({ rows: ROWS, ...COLUMNS }, options)).rejects.toMatchObject({ code: "PARAMETER_INVALID" });
  }
});
