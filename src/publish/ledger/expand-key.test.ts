/** Key templates. */
import { expect, test } from "vitest";
import { expandKey } from "./expand-key.ts";

const at = { date: new Date("2026-03-09T23:59:59Z"), planHash: "0123456789abcdef" };

test("placeholders are filled in", () => {
  expect(expandKey("monthly-{yyyy}-{mm}", at)).toBe("monthly-2026-03");
  expect(expandKey("{dd}/{plan}", at)).toBe("09/0123456789ab");
  expect(expandKey("as it stands", at)).toBe("as it stands");
});

test.each(["{MM}", "{}", "a{week}"])("%s is refused", (template) => {
  expect(() => expandKey(template, at)).toThrow(
    expect.objectContaining({
      code: "USAGE",
      message: expect.stringContaining("is no placeholder; use {yyyy}, {mm}, {dd} or {plan}"),
    }),
  );
});
