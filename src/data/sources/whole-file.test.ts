/** Checks that gzip files which end early or are damaged are told from whole ones, wherever that happens. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { VeilgridError } from "../../core/errors/index.ts";
import { checkWhole } from "./whole-file.ts";

const checkGzipWhole = (path: string, signal?: AbortSignal): Promise<void> =>
  checkWhole({ path, gzip: true, layout: { kind: "json lines", paths: new Map() }, columns: [] }, signal);

const SMALL = gzipSync("user,speed\nann,12\n");
/** The check reads by this many bytes. */
const CHUNK_BYTES = 1 << 20;

const folder = temporaryFolder();

function write(...parts: Uint8Array[]): string {
  const path = join(folder, "records.csv.gz");
  writeFileSync(path, Buffer.concat(parts));
  return path;
}

async function refusalOf(path: string): Promise<VeilgridError> {
  const error: unknown = await checkGzipWhole(path).then(
    () => new Error("the file passed for whole"),
    (reason) => reason,
  );
  if (!(error instanceof VeilgridError)) throw error;
  expect(error.message).not.toMatch(/[\n\r]/);
  return error;
}

/** A member of exactly so many bytes, uncompressed inside. */
function memberOf(bytes: number): Buffer {
  for (let length = bytes - 18; length > 0; length--) {
    const member = gzipSync(Buffer.alloc(length, "x"), { level: 0 });
    if (member.length === bytes) return member;
  }
  throw new Error("no such member");
}

test("whole files, of one member or of several, pass", async () => {
  for (const parts of [[SMALL], [SMALL, SMALL], [gzipSync("")], [SMALL, gzipSync(""), SMALL]])
    await expect(checkGzipWhole(write(...parts))).resolves.toBeUndefined();
});

test("zeros after the end are padding", async () => {
  await expect(checkGzipWhole(write(SMALL, Buffer.alloc(512)))).resolves.toBeUndefined();
});

test("a file cut anywhere ends early", async () => {
  for (let length = 1; length < SMALL.length; length++) {
    const { code, message } = await refusalOf(write(SMALL.subarray(0, length)));
    expect(code).toBe("INPUT_UNREADABLE");
    expect([length, message]).toEqual([length, expect.stringContaining("the gzip file ends early; copy it again")]);
  }
});

test("a second member cut anywhere ends early", async () => {
  for (let length = 1; length < SMALL.length; length++) {
    const { message } = await refusalOf(write(SMALL, SMALL.subarray(0, length)));
    expect([length, message]).toEqual([length, expect.stringContaining("the gzip file ends early")]);
  }
});

test("members that meet where two reads do", async () => {
  const first = memberOf(CHUNK_BYTES);
  await expect(checkGzipWhole(write(first, SMALL))).resolves.toBeUndefined();
  await expect(checkGzipWhole(write(memberOf(CHUNK_BYTES - 1), SMALL))).resolves.toBeUndefined();
  for (const length of [1, 2, 10, SMALL.length - 1])
    expect((await refusalOf(write(first, SMALL.subarray(0, length)))).message).toContain("ends early");
});

test("a changed byte of data, sum or length is damage", async () => {
  const text = Array.from({ length: 2000 }, (_, row) => `user-${row * 7919},${row % 97}\n`).join("");
  const whole = gzipSync(text);
  for (const at of [20, whole.length >> 1, whole.length - 8, whole.length - 4]) {
    const spoilt = Buffer.from(whole);
    spoilt[at]! ^= 0xff;
    const { code, message } = await refusalOf(write(spoilt));
    expect(code).toBe("INPUT_UNREADABLE");
    expect(message).toMatch(/the gzip (data is damaged|file ends early); copy it again$/);
  }
});

test("what follows the end and is no gzip is damage", async () => {
  expect((await refusalOf(write(SMALL, Buffer.from("and more")))).message).toContain("damaged");
});

test("what is not there", async () => {
  expect((await refusalOf("no-such-file.gz")).code).toBe("INPUT_NOT_FOUND");
});

test("a check that is called off does not pass for one that was made", async () => {
  await expect(checkGzipWhole(write(SMALL), AbortSignal.abort())).rejects.toBeInstanceOf(VeilgridError);
});

describe("the last line of a CSV", () => {
  const LINE = 1 << 21;
  const dialect = { delimiter: ",", header: true, columns: ["user", "speed"], decimalComma: false };
  const check = (content: Buffer, gzip: boolean): Promise<void> => {
    const path = write(gzip ? gzipSync(content) : content);
    return checkWhole({ path, gzip, layout: { kind: "csv", dialect }, columns: dialect.columns });
  };
  const rows = Buffer.from("user,speed\nann,12\n");

  test.each([
    false,
    true,
  ])("of more than 2 MB is refused, which the engine would pass over (gzip: %s)", async (gzip) => {
    for (const length of [LINE + 1, 3 * LINE])
      await expect(check(Buffer.concat([rows, Buffer.alloc(length, "x")]), gzip)).rejects.toMatchObject({
        code: "INPUT_MALFORMED",
        message: expect.stringMatching(/: the last line is longer than 2 MB/),
      });
  });

  test.each([false, true])("may be as long as any other, and end or not end in a break (gzip: %s)", async (gzip) => {
    for (const tail of [Buffer.alloc(LINE, "x"), Buffer.from("ben,7"), Buffer.from("ben,7\r\n"), Buffer.from("")])
      await expect(check(Buffer.concat([rows, tail]), gzip)).resolves.toBeUndefined();
    await expect(check(Buffer.alloc(0), gzip)).resolves.toBeUndefined();
    const early = Buffer.concat([Buffer.alloc(3 * LINE, "x"), Buffer.from("\nann,12")]);
    // Not the last one: the engine refuses it.
    await expect(check(early, gzip)).resolves.toBeUndefined();
  });
});
