/** Tests what curators, analysts and strangers read of a failure. */
import { expect, test } from "vitest";
import { ERRORS, type ErrorCode, VeilgridError } from "../../core/errors/index.ts";
import { failureFor, failureOf } from "./failures.ts";

const SECRET = "user bus-7 has 0.4 of 3 left in /srv/records/city.csv";
const told = (role: "curator" | "analyst" | undefined, code: ErrorCode) =>
  failureFor(role, failureOf(new VeilgridError(code, SECRET)));

test.each([
  "BUDGET_EXCEEDED",
  "PLAN_MISMATCH",
  "INPUT_NOT_FOUND",
  "INPUT_MALFORMED",
  "FORBIDDEN_PATH",
  "KEY_CONFLICT",
] as const)("%s is plain to curators; others do not even learn that it was this", (code) => {
  expect(told("curator", code)).toEqual({ status: ERRORS[code].httpStatus, code, message: SECRET });
  for (const role of ["analyst", undefined] as const) {
    expect(told(role, code)).toMatchObject({ status: 404, code: "NOT_RELEASED" });
    expect(told(role, code).message).not.toContain("bus-7");
  }
});

test.each(["LEDGER_UNAVAILABLE", "OUTPUT_FAILED"] as const)("%s is told as what the code means", (code) => {
  expect(told("curator", code).message).toBe(SECRET);
  for (const role of ["analyst", undefined] as const)
    expect(told(role, code)).toEqual({ status: ERRORS[code].httpStatus, code, message: ERRORS[code].sentence });
});

test("what is no error of ours is told in one fixed sentence to anyone", () => {
  for (const role of ["curator", "analyst", undefined] as const)
    expect(failureFor(role, failureOf(new TypeError(SECRET))).message).not.toContain("bus-7");
});
