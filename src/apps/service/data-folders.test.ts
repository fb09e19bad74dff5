/** Tests that no source outside the data folders is ever resolved, and that no message names one. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { VeilgridError } from "../../core/errors/index.ts";
import { parseDatabaseUrl } from "../../data/sources/index.ts";
import { DataFolders, DataTables } from "./data-folders.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "veilgrid-data-")));
afterAll(() => rmSync(top, { recursive: true, force: true }));

function file(name: string): string {
  const path = join(top, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `content of ${name}\n`);
  return path;
}

function link(name: string, target: string): void {
  symlinkSync(target, join(top, name));
}

const day1 = file("data/days/day-1.csv");
const day2 = file("data/days/day-2.csv");
const city = file("data/city.csv");
const both = file("data/both.csv");
const odd = file("data/odd[1]*.csv");
const unicode = file("data/süd 東 \u202e.csv");
file("data/.hidden.csv");
file("data/leaky/a.csv");
file("data/odd1x.csv");
const moreBoth = file("more/both.csv");
const more = file("more/only here.csv");
const secret = file("secrets/secret.csv");
file("database/secret.csv");
link("data/out.csv", secret);
link("data/out", join(top, "secrets"));
link("data/relative-out.csv", "../secrets/secret.csv");
link("data/chain.csv", "out.csv");
link("data/leaky/b.csv", secret);
link("data/inner.csv", city);
link("data/to-more.csv", more);
link("data/days-link", "days");
link("data/dangling.csv", join(top, "secrets", "no such file"));
link("data/loop", "loop");
link("alias", join(top, "data"));
execFileSync("mkfifo", [join(top, "data", "pipe")]);

const folders = new DataFolders([join(top, "alias"), join(top, "more")]);

async function refusalOf(source: string, of = folders): Promise<string> {
  const error = await of.resolve(source).then(
    (found) => new Error(`resolved to ${found}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof VeilgridError)) throw error;
  expect(error.message).not.toMatch(/\n/);
  // Where things are on the machine is not said, beyond what was asked.
  if (!source.includes(top)) expect(error.message).not.toContain(top);
  return error.code;
}

describe("what lies inside", () => {
  test.each([
    ["city.csv", city],
    ["./city.csv", city],
    ["days//./day-1.csv", day1],
    [city, city],
    [join(top, "alias", "city.csv"), city],
    ["inner.csv", city],
    ["days-link/day-2.csv", day2],
    ["both.csv", both],
    ["only here.csv", more],
    ["to-more.csv", more],
    [moreBoth, moreBoth],
    ["odd[1]*.csv", odd],
    ["süd 東 \u202e.csv", unicode],
  ])("%s is its real path", async (source, real) => {
    const found = await folders.resolve(source);
    expect(found).toBe(real);
    expect(await folders.resolve(found)).toBe(found);
  });

  test.each([
    ["days/day-*.csv", join(top, "data/days/day-*.csv")],
    ["days/day-[12].csv", join(top, "data/days/day-[12].csv")],
    ["days-link/*", join(top, "data/days/*")],
    ["./days/./?ay-1.csv", join(top, "data/days/?ay-1.csv")],
    [join(top, "alias/days/*.csv"), join(top, "data/days/*.csv")],
    ["only*.csv", join(top, "more/only*.csv")],
    ["d?ys/day-1.csv", join(top, "data/d?ys/day-1.csv")],
  ])("the pattern %s stays one, with a real beginning", async (source, glob) => {
    const found = await folders.resolve(source);
    expect(found).toBe(glob);
    expect(await folders.resolve(found)).toBe(found);
  });

  test("but is not there is not found", async () => {
    const names = ["nothing.csv", "days/nothing.csv", "nothing/at/all", "city.csv/x", "nothing-*.csv", "none/*.csv"];
    for (const name of [...names, join(top, "data/nothing.csv"), "x".repeat(300), "city.csv ", "CITY.csv", "[a/b]"])
      expect([name, await refusalOf(name)]).toEqual([name, "INPUT_NOT_FOUND"]);
  });

  test("but is no file cannot be read", async () => {
    for (const name of ["", ".", "days", "days-link", "pipe", join(top, "data")])
      expect([name, await refusalOf(name)]).toEqual([name, "INPUT_UNREADABLE"]);
  });
});

describe("what lies outside is forbidden, be it there or not", () => {
  test.each([
    ["steps up", ["../secrets/secret.csv", "..", "days/../../secrets/secret.csv", "../data/city.csv", "a/../city.csv"]],
    ["steps up in a pattern", ["../secrets/*", "days/*/../../../secrets/*.csv", "*/../../secrets/*", "..*/../*"]],
    [
      "absolute paths",
      [secret, "/etc/passwd", "/", "//etc/passwd", join(top, "nothing"), join(top, "database/secret.csv")],
    ],
    ["a folder whose name begins the same", [join(top, "database", "*.csv"), `${join(top, "data")}base/secret.csv`]],
    ["absolute patterns", ["/etc/*", join(top, "secrets/*.csv"), join(top, "*/secret.csv"), "/*"]],
    ["absolute steps up", [join(top, "data/../secrets/secret.csv"), `${top}/data/days/../../secrets/secret.csv`]],
    ["links to a file", ["out.csv", "relative-out.csv", "chain.csv", join(top, "alias/out.csv")]],
    ["links to a folder", ["out", "out/secret.csv", "out/nothing.csv", "out/no/such/thing"]],
    ["links in a pattern", ["out/*.csv", "out/nothing-*", "*/secret.csv", "out.cs?", "*.csv", "leaky/*", "**/*.csv"]],
    ["links to nowhere", ["dangling.csv", "dangling.csv/x", "loop", "loop/x"]],
    ["NUL", ["\0", "city.csv\0", "city.csv\0.txt", "\0/etc/passwd", "days/*\0"]],
    ["backslashes", ["days\\..\\..\\secrets\\*", "..\\secrets\\secret.csv", "\\etc\\passwd", "city.csv\\"]],
    ["homes", ["~", "~/x.csv", "~/*", "~root/.profile", "~/../../etc/passwd"]],
    [
      "addresses",
      [
        `file:${city}`,
        `file://${city}`,
        "FILE:///etc/passwd",
        "https://example.org/a.csv",
        "s3://b/*.csv",
        "hf://d/a",
        "c:/a",
        "data:,x",
      ],
    ],
    ["half characters", ["\ud800", "city\udc00.csv", "\ud83d*.csv"]],
    ["endless names", ["a/".repeat(3_000), "*".repeat(1 << 20)]],
  ])("%s", async (_, sources) => {
    for (const source of sources) expect([source, await refusalOf(source)]).toEqual([source, "FORBIDDEN_PATH"]);
  });

  test("also when a later folder has a file of that name", async () => {
    link("data/shadowed.csv", secret);
    file("more/shadowed.csv");
    expect(await refusalOf("shadowed.csv")).toBe("FORBIDDEN_PATH");
  });

  test("and the message shows no character that a terminal obeys", async () => {
    await expect(folders.resolve("../\u001b[2J\u202e\n.csv")).rejects.toThrow(
      "'../\\u001b[2J\\u202e\\u000a.csv' lies outside",
    );
  });

  test("also when a link changes between two looks", async () => {
    link("data/moving", "days");
    const found = await folders.resolve("moving/*.csv");
    rmSync(join(top, "data/moving"));
    link("data/moving", join(top, "secrets"));
    // What was found leads to the real place, and what is asked again is looked at again.
    expect(found).toBe(join(top, "data/days/*.csv"));
    expect(await refusalOf("moving/*.csv")).toBe("FORBIDDEN_PATH");
  });

  test("whatever the text: what is resolved is inside", async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "..",
        ".",
        "",
        "~",
        "data",
        "days",
        "out",
        "secrets",
        "secret.csv",
        "city.csv",
        "day-1.csv",
        "loop",
        "etc",
        top.slice(1),
      ),
      fc.string({ unit: "binary", maxLength: 3 }).filter((text) => !/[*?[]/.test(text)),
    );
    const separator = fc.constantFrom("/", "//", "\\", "/./", "/../", "\u2044", "\uff0f", "%2f");
    const path = fc
      .tuple(fc.boolean(), fc.array(fc.tuple(piece, separator), { maxLength: 6 }), piece)
      .map(([absolute, begin, end]) => (absolute ? `${top}/data/` : "") + begin.flat().join("") + end);
    await fc.assert(
      fc.asyncProperty(path, async (source) => {
        const found = await folders.resolve(source).catch((error: unknown) => {
          expect(error).toBeInstanceOf(VeilgridError);
          expect((error as VeilgridError).code).toMatch(/^(FORBIDDEN_PATH|INPUT_NOT_FOUND|INPUT_UNREADABLE)$/);
          return undefined;
        });
        if (found === undefined) return;
        expect(realpathSync(found)).toBe(found);
        expect(found.startsWith(`${top}/data/`) || found.startsWith(`${top}/more/`)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("a data folder", () => {
  test("must be one", () => {
    expect(() => new DataFolders([join(top, "no such")])).toThrow(/^data folder '.*' does not exist; check the path$/);
    expect(() => new DataFolders([city])).toThrow(/is no folder$/);
    expect(() => new DataFolders([join(top, "data", "dangling.csv")])).toThrow(/does not exist/);
    mkdirSync(join(top, "year[1]"));
    expect(() => new DataFolders([join(top, "year[1]")])).toThrow(/has one of \* \? \[ \\ in its path/);
  });

  test("may be the whole machine, or none", async () => {
    expect(await new DataFolders(["/"]).resolve(city)).toBe(city);
    expect(await new DataFolders(["/"]).resolve("data/out.csv".replace(/^/, `${top.slice(1)}/`))).toBe(secret);
    expect(await refusalOf("city.csv", new DataFolders([]))).toBe("INPUT_NOT_FOUND");
    expect(await refusalOf(city, new DataFolders([]))).toBe("FORBIDDEN_PATH");
  });
});

describe("files that were sent", () => {
  const id = "0123456789abcdef01234567";
  const sent = file(`state/uploads/${id}/sent.csv`);
  link(`state/uploads/${id}/link.csv`, secret);
  file("ordinary/deep/er.csv");
  link("ordinary/linked", join(top, "state/uploads"));
  const uploads = join(top, "state/uploads");
  const withUploads = new DataFolders([join(top, "ordinary")], uploads);

  test("are found by their whole name, which resolves to itself", async () => {
    expect(await withUploads.resolve(`${id}/sent.csv`)).toBe(sent);
    expect(await withUploads.resolve(sent)).toBe(sent);
  });

  test("are found in no other way", async () => {
    const patterns = ["*/sent.csv", `${id}/*.csv`, `${uploads}/*/*.csv`, `${uploads}/**`];
    const names = [id, `${id}/link.csv`, `${id}/./sent.csv`, uploads, join(uploads, id), `${uploads}//${id}/sent.csv`];
    const linked = ["linked/*/*.csv", `linked/${id}/sent.csv`, `linked/${id}/*`];
    for (const each of [...patterns, ...names, ...linked])
      expect([each, await refusalOf(each, withUploads)]).toEqual([
        each,
        expect.stringMatching(/INPUT_NOT_FOUND|FORBIDDEN_PATH/),
      ]);
    const inside = new DataFolders([join(top, "state")], uploads);
    for (const each of ["uploads/*/*.csv", `uploads/${id}/sent.csv`, "**/*.csv"])
      expect([each, await refusalOf(each, inside)]).toEqual([each, "FORBIDDEN_PATH"]);
  });

  test("patterns find what lies in data folders", async () => {
    expect(await withUploads.resolve("*/er.csv")).toBe(join(top, "ordinary/*/er.csv"));
    expect(await withUploads.resolve("de**/*.csv")).toBe(join(top, "ordinary/de**/*.csv"));
  });
});

describe("tables", () => {
  const tables = new DataTables(
    [
      "postgres://reader@db:5432/traffic?table=trips",
      "clickhouse://reader@ch/city?table=*&scratch=tmp",
      "postgres://own/x?schema=a&table=*",
    ].map((each) => parseDatabaseUrl(each)!),
  );

  test.each([
    "postgres://reader@db:5432/traffic?table=trips",
    "postgresql://reader@db:5432/traffic?table=trips",
    "clickhouse://reader@ch/city?table=any&scratch=tmp",
    "postgres://own/x?schema=a&table=any",
  ])("%s may be read", (source) => {
    expect(tables.resolve(source)).toBe(source);
  });

  test.each([
    "postgres://reader@db:5432/traffic?table=people",
    "postgres://reader@db:5432/traffic",
    "postgres://reader@db:5432/traffic?table=trips&schema=other",
    "postgres://reader@db:5432/traffic?table=trips&sslmode=disable",
    "postgres://admin@db:5432/traffic?table=trips",
    "postgres://reader@db/traffic?table=trips",
    "postgres://reader@elsewhere:5432/traffic?table=trips",
    "postgres://reader@db:5432/other?table=trips",
    "clickhouse://reader@ch/city?table=any",
    "clickhouse://reader@ch/city?table=any&scratch=other",
    "clickhouse://reader@db:5432/traffic?table=trips",
    "postgres://own/x?schema=b&table=any",
  ])("%s may not", (source) => {
    expect(() => tables.resolve(source)).toThrow(expect.objectContaining({ code: "FORBIDDEN_PATH" }));
  });

  test("a file's name is nobody's address, and a password is refused", () => {
    expect(tables.resolve("trips.csv")).toBeUndefined();
    expect(() => tables.resolve("postgres://reader:secret@db:5432/traffic?table=trips")).toThrow(/has a password/);
  });

  test("a database without a table is opened only if that is said", () => {
    const open = (address: string): DataTables => new DataTables([parseDatabaseUrl(address)!]);
    expect(() => open("postgres://reader@db/traffic")).toThrow(/names no table; add \?table=NAME, or \?table=\*/);
    expect(open("postgres://reader@db/traffic?table=*").resolve("postgres://reader@db/traffic?table=t")).toContain(
      "=t",
    );
  });
});
