/** Checks config files both ways: what they may say, what is said of those that cannot be used, and that written ones are read again. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { VeilgridError } from "../../core/errors/index.ts";
import { type ConfigValues, configText, readConfigFile } from "./config-file.ts";

const KNOWN = new Map([
  ["user", true],
  ["value", true],
  ["by", true],
  ["h3", true],
  ["epsilon", true],
  ["min-users", true],
  ["time-format", true],
  ["caps", false],
  ["protect-lowest", false],
]);

const folder = temporaryFolder();

function read(text: string | Uint8Array): Promise<ConfigValues> {
  const path = join(folder, "config.yaml");
  writeFileSync(path, text);
  return readConfigFile(path, KNOWN);
}

async function refusalOf(text: string): Promise<VeilgridError> {
  const error: unknown = await read(text).then(
    (values) => new Error(`accepted as ${JSON.stringify(values)}`),
    (reason) => reason,
  );
  if (!(error instanceof VeilgridError)) throw error;
  expect(error.message).not.toMatch(/[\n\r]/);
  expect(error.message).toContain("config.yaml'");
  return error;
}

describe("readConfigFile", () => {
  test("keys become flags; scalars stay the text they are", async () => {
    const text =
      "# a comment\nuser: 007\nvalue: 1e3\nepsilon: 0.10\nh3: 0x8\nmin-users: +5\ntime-format: ~\nby: null\n";
    expect(await read(text)).toEqual({
      user: "007",
      value: "1e3",
      epsilon: "0.10",
      h3: "0x8",
      minUsers: "+5",
      timeFormat: "~",
      by: "null",
    });
  });

  test("quotes of either kind, colons inside, a byte order mark and line ends of other systems", async () => {
    expect(await read("\uFEFFuser: 'a: b'\r\nvalue: \"c\\td\"\r\nby: e f\r\n")).toEqual({
      user: "a: b",
      value: "c\td",
      by: "e f",
    });
  });

  test("lists are joined by commas, in either form", async () => {
    expect(await read("by: [route, 007]\n")).toEqual({ by: "route,007" });
    expect(await read("by:\n  - route\n  - day part\n")).toEqual({ by: "route,day part" });
  });

  test("switches are true or false", async () => {
    expect(await read("caps: true\nprotect-lowest: false\n")).toEqual({ caps: true, protectLowest: false });
    expect(await read("user: true\n")).toEqual({ user: "true" });
    for (const word of ["yes", "1", "True", "", "[true, false]"]) {
      const { code, message } = await refusalOf(`caps: ${word}\n`);
      expect(code).toBe("INPUT_MALFORMED");
      expect(message).toMatch(/: caps must be true or false$/);
    }
  });

  test.each(["", "\n", "# nothing but a comment\n"])("nothing in %j", async (text) => {
    expect(await read(text)).toEqual({});
  });

  test.each([
    "minUsers",
    "--user",
    "USER",
    "colour",
    "__proto__",
    "constructor",
    "a\\u001bb",
  ])("the key %s is no flag", async (key) => {
    const { code, message } = await refusalOf(`user: u\n"${key}": 1\n`);
    expect(code).toBe("INPUT_MALFORMED");
    expect(message).toMatch(/ is no flag of this command; keys are long flag names without dashes$/);
  });

  test.each([
    ["a bracket left open", "user: u\nby: [a, b\nvalue: v\n", /line [234]/],
    ["a quote left open", "user: u\nvalue: 'v\n", /line [23]/],
    ["a tab for indentation", "user: u\nby:\n\t- a\n", /line 3/],
    ["a key twice", "user: u\nvalue: v\nuser: w\n", /line 3/],
    ["two colons", "user: u\nvalue: v: w\n", /line 2/],
    ["two documents", "user: u\n---\nvalue: v\n", /line [23]/],
  ])("%s: the line is named", async (_, text, line) => {
    const { code, message } = await refusalOf(text);
    expect(code).toBe("INPUT_MALFORMED");
    expect(message).toMatch(line);
    expect(message).toContain("'flag: value'");
  });

  test.each(["just words\n", "- user\n- value\n", "'text'\n"])("%j is no config file", async (text) => {
    const { code, message } = await refusalOf(text);
    expect(code).toBe("INPUT_MALFORMED");
    expect(message).toContain("write one 'flag: value' a line");
  });

  test.each(["by: {a: 1}\n", "by: [[a], b]\n", "by:\n  - a: 1\n"])("%j is neither value nor list", async (text) => {
    const { code, message } = await refusalOf(text);
    expect(code).toBe("INPUT_MALFORMED");
    expect(message).toMatch(/: by must be one value or a list$/);
  });

  test.each([
    ["a name that begins with a star", "user: *plate\n"],
    [
      "aliases of aliases",
      `a: &a [x, x, x, x, x, x, x, x, x]\n${"bcdefgh"
        .split("")
        .map((name, at) => `${name}: &${name} [${`*${"abcdefg"[at]}, `.repeat(9)}]\n`)
        .join("")}`,
    ],
  ])("%s is refused in one line", async (_, text) => {
    expect((await refusalOf(text)).code).toBe("INPUT_MALFORMED");
  });

  test("a list in place of a key is refused, and the parser's own warning is not heard", async () => {
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    expect((await refusalOf("? [a, b]\n: c\n")).message).toContain("is no flag of this command");
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  test("a file that is not there, and a folder", async () => {
    await expect(readConfigFile("no-such.yaml", KNOWN)).rejects.toMatchObject({ code: "INPUT_NOT_FOUND" });
    await expect(readConfigFile(folder, KNOWN)).rejects.toMatchObject({ code: "INPUT_UNREADABLE" });
  });
});

describe("configText", () => {
  test("comments, then flags in their order", () => {
    const flags = [
      ["user", "bus"],
      ["epsilon", "0.10"],
      ["caps", true],
      ["by", "a,b"],
    ] as const;
    expect(configText(flags, ["made by hand", "twice"])).toBe(
      '# made by hand\n# twice\nuser: bus\nepsilon: "0.10"\ncaps: true\nby: a,b\n',
    );
  });

  test("what was written is read again, whatever text", async () => {
    const word = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(
        "0.10",
        "007",
        "true",
        "null",
        "~",
        "",
        "- a",
        "# b",
        "a: b",
        "*x",
        "&y",
        "!z",
        "1e3",
        "[a",
        "|",
        ">",
        "a\nb",
        " c ",
        "'",
        '"',
        "%",
        "@",
        "`",
        "2016-12-16",
        "a #b",
        "\t",
        "é😀",
      ),
    );
    const flags = fc.record(
      { user: word, value: word, by: word, "min-users": word, caps: fc.boolean(), "protect-lowest": fc.boolean() },
      { requiredKeys: ["user"] },
    );
    await fc.assert(
      fc.asyncProperty(flags, async (given) => {
        const camel = { "min-users": "minUsers", "protect-lowest": "protectLowest" } as Record<string, string>;
        const expected = Object.fromEntries(Object.entries(given).map(([key, value]) => [camel[key] ?? key, value]));
        expect(await read(configText(Object.entries(given), ["about"]))).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  test("a comment with a line break in it stays a comment", async () => {
    expect(await read(configText([["user", "bus"]], ["records of a\nfile.csv"]))).toEqual({ user: "bus" });
  });
});
