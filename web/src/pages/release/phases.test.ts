/** Tests the phases against the steps of a release as the service reports them. */
import { expect, test } from "vitest";
import { CHARGED_FROM, type PhaseIndex, phaseAfter } from "./phases.ts";

test("reading before the charge is counting, reading after it is reading, and there is no way back", () => {
  const steps = [
    "reading records, per cent",
    "reading user–grid pairs",
    "checking the plan",
    "reserving",
    "reading totals",
    "reading records, per cent",
    "reading capped records, per cent",
    "adding noise",
    "committing",
    "disclosing",
  ];
  let phase: PhaseIndex = 0;
  const phases = steps.map((step) => {
    phase = phaseAfter(phase, step);
    return phase;
  });
  expect(phases).toEqual([0, 0, 0, 1, 2, 2, 2, 3, 4, 4]);
  expect(phases[steps.indexOf("reserving")]).toBe(CHARGED_FROM);
});
