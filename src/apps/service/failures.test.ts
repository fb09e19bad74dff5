/** Tests what curators, analysts and strangers read of a failure. */
import { expect, test } from "vitest";
import { ERRORS, type ErrorCode, VeilgridError } from "../../core/errors/index.ts";
import { failureFor, failureOf, recordError } from "./failures.ts";

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

test("the trace for the log says where an error arose and holds no line of its message", () => {
  const lines = ["no number: 471108154711", "    at 471108154711", "    at bus-7 (/srv/records:4711:1)"];
  const error = Object.assign(new TypeError(lines.join("\n")), { code: "EQUOTE", cause: new Error("bus-7") });
  const { trace } = recordError(error);
  expect(trace).toMatch(/^TypeError EQUOTE; at .*failures\.test\.ts:\d+:\d+/);
  expect(trace).not.toMatch(/4711|bus-7/);

  // The stack keeps the message that the error was made with.
  const renamed = Object.assign(new Error("at\n    at 471108154711\nbus-7"), { message: "", name: "bus-7 bus-7" });
  expect(recordError(renamed).trace).not.toMatch(/4711|bus-7/);
  expect(recordError("bus-7").trace).toBe("thrown: string");
});
