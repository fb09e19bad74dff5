/** Tests who reads which warnings: those of a survey go to all who may see the dataset, those about other datasets only to those who may see all. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestService, testService } from "../../../test/support/service.ts";
import { occupancyFromTriples } from "../../core/occupancy/index.ts";
import { surveyNotes, writeOccupancyFile } from "./survey.ts";
import type { PlanTaskResult } from "./tasks.ts";

const ELSEWHERE = "dataset 'salaries' of this ledger already charges 3 of the same users";
const OWN = "2 user ids differ from another only in case";
const COUNTED = { records: 9, repeated: 1, missing: 0, withoutUser: 0, withoutGrid: 0, inOtherGrids: 2 };

let service: TestService;
beforeAll(async () => {
  service = await testService({
    runTask: async ({ kind }) =>
      kind === "plan"
        ? ({ summary: { planHash: "0".repeat(64) }, text: "{}", warnings: [OWN] } as unknown as PlanTaskResult)
        : { grids: 3, warnings: [kind === "release" ? ELSEWHERE : OWN] },
  });
});
afterAll(() => service[Symbol.asyncDispose]());

/** The result of a job that a curator for some datasets, or for all of them, has started. */
async function resultOf(what: string, payload: object, datasets?: readonly string[]): Promise<unknown> {
  const headers = { authorization: `Bearer ${service.token("curator", datasets)}` };
  const url = `/v1/datasets/buses/${what}`;
  const { id } = (await service.app.inject({ method: "POST", url, headers, payload })).json();
  for await (const _ of service.jobs.events(id, new AbortController().signal));
  const { state, result } = (await service.app.inject({ url: `/v1/jobs/${id}`, headers })).json();
  expect(state).toBe("done");
  return result;
}

test("a release's go whole to those who may see all datasets, in general words to others", async () => {
  expect(await resultOf("releases", {})).toEqual({ grids: 3, warnings: [ELSEWHERE] });
  expect(await resultOf("releases", {}, ["buses"])).toEqual({
    grids: 3,
    warnings: ["other datasets or ledgers may charge the same users"],
  });
});

test("a survey's and a plan's are about the dataset itself", async () => {
  for (const datasets of [undefined, ["buses"]]) {
    expect(await resultOf("survey", {}, datasets)).toEqual({ grids: 3, warnings: [OWN] });
    expect(await resultOf("plans", { loss: "1" }, datasets)).toMatchObject({ warnings: [OWN] });
  }
});

test("the last survey's are kept with the dataset, also where an older version kept none", async () => {
  const headers = { authorization: `Bearer ${service.token("curator", ["buses"])}` };
  const told = async () => {
    const { counted, warnings } = (await service.app.inject({ url: "/v1/datasets/buses", headers })).json();
    return { counted, warnings };
  };
  expect(await told()).toEqual({ counted: null, warnings: [] });
  const file = service.store.occupancyFile("buses");
  writeOccupancyFile(file, occupancyFromTriples([["a", "g", 1]]), { counted: COUNTED, warnings: [OWN] });
  expect(await told()).toEqual({ counted: COUNTED, warnings: [OWN] });
  const notes = path.join(path.dirname(file), `${path.basename(file)}.notes.json`);
  expect(JSON.parse(readFileSync(notes, "utf8"))).toEqual({ counted: COUNTED, warnings: [OWN] });
  writeFileSync(notes, JSON.stringify(COUNTED));
  expect(surveyNotes(file)).toEqual({ counted: COUNTED, warnings: [] });
});
