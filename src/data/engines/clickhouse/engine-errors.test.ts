/** Servers' errors in our words, with nothing of theirs in them. */
import { expect, test } from "vitest";
import { VeilgridError } from "../../../core/errors/index.ts";
import { asEngineError, errorCode, isForbidden, isTrouble } from "./engine-errors.ts";
import { NotUtf8 } from "./native-format.ts";

const ADDRESS = "clickhouse://127.0.0.1/default";
const old = (code: number): Error => new Error(`Code: ${code}, e.displayText() = DB::Exception: secret61, e.what()`);
const today = (code: number): Error => Object.assign(new Error("secret61"), { code: String(code), type: "X" });

test.each([
  [193, "ENGINE_UNAVAILABLE", "CLICKHOUSE_PASSWORD"],
  [516, "ENGINE_UNAVAILABLE", "CLICKHOUSE_PASSWORD"],
  [164, "ENGINE_UNSUPPORTED", "readonly = 2"],
  [60, "INPUT_NOT_FOUND", "?table="],
  [279, "ENGINE_UNAVAILABLE", "shard"],
  [210, "ENGINE_UNAVAILABLE", "shard"],
  [159, "ENGINE_UNAVAILABLE", "limit"],
  [241, "INPUT_TOO_LARGE", "max_memory_usage"],
  [9999, "INPUT_UNREADABLE", "error 9999"],
])("error %i of old and of current servers", (number, code, word) => {
  for (const error of [old(number), today(number)]) {
    expect(errorCode(error)).toBe(number);
    const said = asEngineError(error, ADDRESS);
    expect(said.code).toBe(code);
    expect(said.message).toContain(word);
    expect(said.message).toContain(ADDRESS);
    expect(said.message).not.toContain("secret61");
    expect(said.cause).toBeUndefined();
  }
});

test("errors that are not the server's", () => {
  const cut = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" });
  expect(asEngineError(cut, ADDRESS)).toMatchObject({ code: "ENGINE_UNAVAILABLE" });
  expect(asEngineError(new NotUtf8(), ADDRESS)).toMatchObject({ code: "INPUT_MALFORMED" });
  const ours = new VeilgridError("PLAN_MISMATCH", "as it is");
  expect(asEngineError(ours, ADDRESS)).toBe(ours);
});

test("what the engine itself must tell apart", () => {
  expect([isTrouble(old(395)), isTrouble(today(395)), isTrouble(old(60))]).toEqual([true, true, false]);
  expect([isForbidden(old(164)), isForbidden(today(497)), isForbidden(new Error("x"))]).toEqual([true, true, false]);
});
