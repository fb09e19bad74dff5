/** Users by their ids, or by hashes that only the holder of the key can make. */
import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import type { DatasetRow } from "./store.ts";
import { userNaming, usersKeyCheck } from "./users.ts";

const key = "a key of 16 char";
const hmac = (text: string): string => createHmac("sha256", key).update(text).digest("hex");
const dataset = (check: string | null): DatasetRow => ({
  name: "buses",
  budget: 1n,
  created: "",
  usersKeyCheck: check,
});

test("a key has at least 16 characters, and its check is no user's hash", () => {
  expect(usersKeyCheck(key)).toBe(hmac("check:"));
  expect(() => usersKeyCheck(key.slice(1))).toThrow(
    expect.objectContaining({ code: "PARAMETER_INVALID", message: expect.stringContaining("has 15 characters") }),
  );
  expect(() => usersKeyCheck(undefined)).toThrow(expect.objectContaining({ code: "USAGE" }));
});

test("ids as they are, or as HMAC-SHA256 under the dataset's own key", () => {
  for (const any of [undefined, key, "short"]) expect(userNaming(dataset(null), any)("änn\0")).toBe("änn\0");
  expect(userNaming(dataset(hmac("check:")), key)("änn\0")).toBe(hmac("user:änn\0"));
});

test("a key that is not the dataset's is refused", () => {
  expect(() => userNaming(dataset(hmac("check:")), "another key of the curator")).toThrow(
    expect.objectContaining({ code: "LEDGER_CONFLICT" }),
  );
  expect(() => userNaming(dataset(hmac("check:")), undefined)).toThrow(expect.objectContaining({ code: "USAGE" }));
});
