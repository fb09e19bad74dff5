/** Tests first looks over HTTP: what they show and do not show, and how many run at once. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { type TestService, testService } from "../../../test/support/service.ts";
import type { Look } from "./first-looks.ts";

let service: TestService | undefined;
afterEach(async () => {
  await service?.[Symbol.asyncDispose]();
  service = undefined;
});

function look(body: object) {
  const headers = { authorization: `Bearer ${service!.token("curator", ["mine"])}` };
  return service!.app.inject({ method: "POST", url: "/v1/look", headers, payload: body });
}

function file(name: string, text: string): void {
  writeFileSync(path.join(service!.folder, "data", name), text);
}

test("columns, guesses and what is open; no value of the column that may be protected", async () => {
  service = await testService();
  file("trips.csv", "rider;station;fare\nann;north;17,25\nbob;south;18,75\n");
  const { columns, guess, told, open, isOccupancy } = (await look({ source: "trips.csv" })).json() as Look;
  expect(columns).toEqual([
    { name: "rider", type: "text", samples: ["ann", "bob"], role: "user" },
    { name: "station", type: "text", samples: ["north", "south"], role: "by" },
    { name: "fare", type: "number", samples: null, role: "value" },
  ]);
  expect(guess).toMatchObject({ user: "rider", by: "station", value: "fare" });
  expect([open, isOccupancy]).toEqual([[], false]);
  expect(told.join()).toContain("semicolons");
});

test("what is said of a file is heeded", async () => {
  service = await testService();
  file("odd.csv", "a~b\n1~2\n");
  const refused = await look({ source: "odd.csv" });
  expect([refused.statusCode, refused.json().error.code]).toEqual([400, "INPUT_MALFORMED"]);
  expect(refused.json().error.message).toMatch(/^'odd\.csv' has one column only/);
  expect((await look({ source: "odd.csv", delimiter: "~" })).json().columns).toHaveLength(2);
  expect((await look({ source: "odd.csv", delimiter: "~", header: "no" })).json().columns[0].name).toBe("column1");
  expect((await look({ source: "odd.csv", header: "perhaps" })).statusCode).toBe(400);
});

test("an occupancy file is called one", async () => {
  service = await testService();
  file("o.csv", "user,grid,count\nann,north,2\n");
  expect((await look({ source: "o.csv" })).json()).toMatchObject({ isOccupancy: true });
});

test("no file outside the data folders is looked at, and no folder is named", async () => {
  service = await testService();
  for (const source of ["../state/service.db", path.join(service.folder, "state", "service.db"), "/etc/passwd"]) {
    const answer = await look({ source });
    expect([answer.statusCode, answer.json().error.code]).toEqual([403, "FORBIDDEN_PATH"]);
  }
  file("empty.csv", "");
  const deep = "it's a name that is long enough to be shortened in the middle.csv";
  file(deep, "");
  for (const source of ["empty.csv", "missing.csv", "empty*.csv", deep]) {
    const answer = await look({ source });
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.json().error.message).not.toMatch(/\/|tmp|veilgrid-service/);
  }
});

test("two at once; a third is told to come back, and one that failed or was left makes room", async () => {
  const finishers: Array<() => void> = [];
  let signals: AbortSignal[] = [];
  service = await testService({
    runLook: (_, { signal }) => {
      signals.push(signal);
      return new Promise((resolve, reject) => {
        const look: Look = { columns: [], guess: {}, open: [], doubts: [], told: [], isOccupancy: false };
        finishers.push(() => resolve(look));
        signal.addEventListener("abort", () => reject(new Error("stopped")));
      });
    },
  });
  const both = [look({ source: "buses.csv" }), look({ source: "buses.csv" })];
  const started = async (count: number): Promise<void> => {
    while (signals.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  void Promise.all(both);
  await started(2);
  const third = await look({ source: "buses.csv" });
  expect([third.statusCode, third.json().error.code, third.headers["retry-after"]]).toEqual([503, "BUSY", "2"]);
  for (const finish of finishers) finish();
  expect((await Promise.all(both)).map(({ statusCode }) => statusCode)).toEqual([200, 200]);

  signals = [];
  await service.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = service.app.server.address() as { port: number };
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${service.token("curator")}`, "content-type": "application/json" };
  const left = fetch(`http://127.0.0.1:${port}/v1/look`, {
    ...{ method: "POST", headers, body: JSON.stringify({ source: "buses.csv" }), signal: leaving.signal },
  }).catch(() => "left");
  await started(1);
  leaving.abort();
  expect(await left).toBe("left");
  await new Promise<void>((resolve) => {
    if (signals[0]!.aborted) resolve();
    else signals[0]!.addEventListener("abort", () => resolve());
  });
});
