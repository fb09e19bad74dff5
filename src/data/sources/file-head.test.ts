/** Checks what a file is taken for by its first bytes, whatever its name, and what is said of files that are none. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { VeilgridError } from "../../core/errors/index.ts";
import { sniffCsv } from "./csv-dialect.ts";
import { readJsonHead } from "./description.ts";
import { readFileHead } from "./file-head.ts";

const folder = temporaryFolder();

function write(content: string | Uint8Array, name = "file"): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function refusalOf(path: string): Promise<VeilgridError> {
  const error: unknown = await readFileHead(path).then(
    () => new Error("the file was accepted"),
    (reason) => reason,
  );
  if (!(error instanceof VeilgridError)) throw error;
  expect(error.message).not.toMatch(/[\n\r]/);
  return error;
}

describe("kinds", () => {
  test.each([
    ["csv", "user,speed\nann,12\n"],
    ["csv", "[77.1, 12.9];ann\n[77.2, 12.8];bob\n"],
    ["csv", "\uFEFFuser,speed\n"],
    ["csv", " \n"],
    ["json lines", '{"user":"ann"}\n{"user":"bob"}\n'],
    ["json lines", '\uFEFF\n  {"user":"ann"}\n'],
    ["json array", '[{"user":"ann"}]'],
    ["json array", '\uFEFF [\n  {\n"user":"ann"}]'],
    ["json array", "[]"],
    ["json array", "[\n"],
  ])("%s: %j", async (kind, text) => {
    expect(await readFileHead(write(text, "misleading.parquet"))).toEqual({ kind, gzip: false, text, complete: true });
    const zipped = await readFileHead(write(gzipSync(text), "misleading.csv"));
    expect(zipped).toMatchObject({ kind, gzip: true, text });
  });

  test("Parquet by its magic, with nothing of it as text", async () => {
    const path = write(Buffer.concat([Buffer.from("PAR1"), Buffer.alloc(100, 7), Buffer.from("PAR1")]), "a.csv");
    expect(await readFileHead(path)).toEqual({ kind: "parquet", gzip: false, text: "", complete: true });
  });

  test("several gzip members are one text", async () => {
    const path = write(Buffer.concat([gzipSync("a,b\n1,"), gzipSync(""), gzipSync("2\n3,4\n")]));
    expect((await readFileHead(path)).text).toBe("a,b\n1,2\n3,4\n");
  });

  test("a small gzip file is read to its end", async () => {
    const head = await readFileHead(write(gzipSync("ann,12")));
    expect(sniffCsv(head.text, head.complete).rows).toEqual([["ann", "12"]]);
  });
});

describe("encodings", () => {
  const head = (content: Uint8Array, told?: "latin-1" | "utf-8") => readFileHead(write(content, "table.csv"), told);

  test("UTF-16 by its mark, Latin-1 by lone letters with accents", async () => {
    const text = "user,town\nann,Orléans\nbob,Köln\n";
    const wide = Buffer.from(`\uFEFF${text}`, "utf16le");
    for (const bytes of [wide, gzipSync(wide)])
      expect(await head(bytes)).toMatchObject({ kind: "csv", encoding: "utf-16", text });
    expect(await head(Buffer.from(text, "latin1"))).toMatchObject({ encoding: "latin-1", text });
    expect((await head(Buffer.from(text))).encoding).toBeUndefined();
    expect(await head(Buffer.from("a,b\n"), "latin-1")).toMatchObject({ encoding: "latin-1" });
  });

  test("what may be another encoding is not guessed", async () => {
    for (const cell of ["\x80", "\xcf\xf0\xe8\xe2\xe5\xf2", "\xc4\xe3\xba\xc3", "Jos\xc3\xa9,caf\xe9"])
      expect((await head(Buffer.from(`user,town\nann,${cell}\n`, "latin1"))).encoding).toBeUndefined();
    const { message } = await refusalOf(write(Buffer.from("stra\x9fe,town\n", "latin1"), "odd.csv"));
    expect(message).toMatch(
      /odd\.csv': line 1: not UTF-8; give --encoding latin-1 if it is, otherwise convert it: iconv/,
    );
  });

  test("a head that is cut inside a character is UTF-8", async () => {
    const cut = `a,b\n${"é".repeat(1 << 20)}`;
    for (const text of [cut, `x${cut}`]) expect((await head(Buffer.from(text))).encoding).toBeUndefined();
  });
});

describe("large files", () => {
  const row = `${"é".repeat(7)},12345\n`;
  const text = `name,speed\n${row.repeat(200_000)}`;

  test("only the beginning, and it says so", async () => {
    const head = await readFileHead(write(text, "large.csv"));
    expect(head.complete).toBe(false);
    expect(head.text.length).toBeLessThan(text.length / 2);
    const { rows } = sniffCsv(head.text, head.complete);
    expect(new Set(rows.map(String))).toEqual(new Set([row.trim()]));
  });

  test("the beginning of gzip whose end is missing or far away", async () => {
    // Numbers that compress badly, so that the first bytes are a small part.
    let state = 1;
    const lines = Array.from({ length: 300_000 }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return `${state},${state % 1009}\n`;
    });
    const zipped = gzipSync(`id,speed\n${lines.join("")}`);
    expect(zipped.length).toBeGreaterThan(1 << 20);
    for (const bytes of [zipped, zipped.subarray(0, 5000)]) {
      const head = await readFileHead(write(bytes, "large.csv.gz"));
      expect(head).toMatchObject({ kind: "csv", gzip: true, complete: false });
      expect(head.text.startsWith(`id,speed\n${lines[0]}`)).toBe(true);
    }
  });

  test("JSON that is cut still gives its first objects", async () => {
    const object = { user: "ann", speed: 12.5, note: "}".repeat(100) };
    const head = await readFileHead(write(`${JSON.stringify(object)}\n`.repeat(20_000), "large.json"));
    expect(head).toMatchObject({ kind: "json lines", complete: false });
    const { rows } = readJsonHead(head.text);
    expect(rows.length).toBe(5000);
    expect(rows[0]).toEqual(object);
  });
});

describe("refused", () => {
  test("big-endian UTF-16, also inside gzip, and JSON in UTF-16", async () => {
    const big = Buffer.from("\uFEFFuser,speed\n", "utf16le").swap16();
    for (const bytes of [big, gzipSync(big)]) {
      const { code, message } = await refusalOf(write(bytes, "wide.csv"));
      expect(code).toBe("INPUT_MALFORMED");
      expect(message).toMatch(/wide\.csv' is big-endian UTF-16, .*convert it: iconv -f UTF-16 -t UTF-8 FILE > NEW$/);
    }
    const json = await refusalOf(write(Buffer.from('\uFEFF{"user":"ann"}\n', "utf16le"), "wide.json"));
    expect(json.message).toMatch(/wide\.json': JSON must be UTF-8; convert it: iconv -f UTF-16 /);
  });

  test("nothing, a folder, what is not there, what lies below a file", async () => {
    const empty = await refusalOf(write("", "empty.csv"));
    expect([empty.code, empty.message]).toEqual(["INPUT_EMPTY", expect.stringMatching(/empty\.csv' is empty$/)]);
    const asFolder = await refusalOf(folder);
    expect([asFolder.code, asFolder.message]).toEqual([
      "INPUT_UNREADABLE",
      expect.stringMatching(/is a folder; name a file in it, or a pattern such as '.*\/\*\.csv'$/),
    ]);
    const missing = await refusalOf("no-such\u001b[2J.csv");
    expect(missing.code).toBe("INPUT_NOT_FOUND");
    expect(missing.message).toBe("'no-such\\u001b[2J.csv' does not exist; check the path");
    expect((await refusalOf(join(write("x"), "below.csv"))).code).toBe("INPUT_UNREADABLE");
  });

  test("gzip that is damaged at its beginning", async () => {
    const bytes = gzipSync("user,speed\n".repeat(100));
    bytes.fill(0xff, 10, 30);
    const { code, message } = await refusalOf(write(bytes));
    expect(code).toBe("INPUT_UNREADABLE");
    expect(message).toContain("the gzip data is damaged");
  });
});
