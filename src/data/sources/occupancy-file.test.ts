/** Checks the reading of occupancy files from disk: plain and gzip whatever their name, damage, absence, progress and cancellation. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { VeilgridError } from "../../core/errors/index.ts";
import { occupancyHash } from "../../core/occupancy/index.ts";
import type { LongWorkOptions, Progress } from "../../core/planning/index.ts";
import { readOccupancyFile } from "./occupancy-file.ts";

const SMALL = "user,grid,count\nu,g,1\nv,g,2\nu,h,3\nu,g,4\nw,g,0\n";
const LARGE_ROWS = 250_000;

const folder = temporaryFolder();
let large: string;

beforeAll(() => {
  const rows = Array.from(
    { length: LARGE_ROWS },
    (_, row) => `user-${row % 5000},grid-${Math.floor(row / 5000)},${1 + (row % 13)}`,
  );
  large = `user,grid,count\n${rows.join("\n")}\n`;
});

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function refusalOf(path: string, options?: LongWorkOptions): Promise<VeilgridError> {
  const error: unknown = await readOccupancyFile(path, options).then(
    () => new Error("the file was accepted"),
    (reason) => reason,
  );
  if (!(error instanceof VeilgridError)) throw error;
  expect(error.message).not.toMatch(/[\n\r]/);
  return error;
}

test("a plain file", async () => {
  const { occupancy, notes } = await readOccupancyFile(write("plain.csv", SMALL));
  expect([...occupancy.users]).toEqual(["u", "v"]);
  expect([...occupancy.grids]).toEqual(["g", "h"]);
  expect([...occupancy.byUser.count]).toEqual([5, 3, 2]);
  expect(notes).toEqual({ rows: 5, duplicateRows: 1, zeroRows: 1 });
});

test.each(["compressed.csv.gz", "compressed-but-called.csv", "no-extension"])("gzip by its bytes: %s", async (name) => {
  const { occupancy, notes } = await readOccupancyFile(write(name, gzipSync(SMALL)));
  expect([...occupancy.byUser.count]).toEqual([5, 3, 2]);
  expect(notes.rows).toBe(5);
});

test("a plain file called .gz is read as what it is", async () => {
  const { notes } = await readOccupancyFile(write("plain.csv.gz", SMALL));
  expect(notes.rows).toBe(5);
});

test("a gzip file of several members is their texts one after the other", async () => {
  const cut = 23;
  const members = [SMALL.slice(0, cut), "", SMALL.slice(cut)].map((part) => gzipSync(part));
  const { occupancy } = await readOccupancyFile(write("members.csv.gz", Buffer.concat(members)));
  expect([...occupancy.byUser.count]).toEqual([5, 3, 2]);
});

test("a large file is the same array plain, as gzip and as members", async () => {
  const middle = large.length >> 1;
  const members = Buffer.concat([gzipSync(large.slice(0, middle)), gzipSync(large.slice(middle))]);
  const read = [write("large.csv", large), write("large.csv.gz", gzipSync(large)), write("large-members.gz", members)];
  const arrays = await Promise.all(read.map((path) => readOccupancyFile(path)));
  expect(arrays[0]!.occupancy.entries).toBe(LARGE_ROWS);
  const [plain, ...others] = arrays.map(({ occupancy }) => occupancyHash(occupancy));
  for (const hash of others) expect(hash).toBe(plain);
});

test("truncated gzip says that it ends early, small or large, at any place", async () => {
  for (const text of [SMALL, large]) {
    const whole = gzipSync(text);
    for (const length of [3, 12, whole.length >> 1, whole.length - 1]) {
      const { code, message } = await refusalOf(write("truncated.csv.gz", whole.subarray(0, length)));
      expect(code).toBe("INPUT_UNREADABLE");
      expect(message).toContain("ends early");
      expect(message).toContain(folder.slice(0, 20));
    }
  }
});

test("damaged gzip says so and is never an array", async () => {
  for (const text of [SMALL, large]) {
    const checksumSpoilt = gzipSync(text);
    checksumSpoilt[checksumSpoilt.length - 6]! ^= 0xff;
    const headSpoilt = gzipSync(text);
    headSpoilt.fill(0xff, 10, 40);
    for (const bytes of [checksumSpoilt, headSpoilt]) {
      const { code, message } = await refusalOf(write("damaged.csv.gz", bytes));
      expect(code).toBe("INPUT_UNREADABLE");
      expect(message).toContain("the gzip data is damaged");
    }
  }
});

test("a malformed row inside gzip is placed like one in a plain file", async () => {
  for (const content of [`${SMALL}x,y,-5\n`, gzipSync(`${SMALL}x,y,-5\n`), gzipSync(`${large}x,y,-5\n${large}`)]) {
    const { code, message } = await refusalOf(write("bad.csv", content));
    expect(code).toBe("INPUT_MALFORMED");
    const rows = content.length > 1000 ? LARGE_ROWS : 5;
    expect(message).toContain(`bad.csv: row ${rows + 1} (line ${rows + 2}): count '-5'`);
  }
});

test("a folder, and what is not there", async () => {
  const asFolder = await refusalOf(folder);
  expect(asFolder.code).toBe("INPUT_UNREADABLE");
  expect(asFolder.message).toContain("is a folder");
  const missing = await refusalOf("no-such-file.csv");
  expect(missing.code).toBe("INPUT_NOT_FOUND");
  expect(missing.message).toBe("'no-such-file.csv' does not exist; check the path");
  const belowFile = await refusalOf(join(write("file", SMALL), "below.csv"));
  expect(belowFile.code).toBe("INPUT_UNREADABLE");
});

test("names cannot steer the terminal", async () => {
  const { message } = await refusalOf("\u001b[2Jno\nsuch.csv");
  expect(message).toContain("'\\u001b[2Jno\\u000asuch.csv'");
  const inReader = await refusalOf(write("a\u001b[31m.csv", "user,grid,count\nu,g,x\n"));
  expect(inReader.code).toBe("INPUT_MALFORMED");
  expect(inReader.message).not.toContain("\u001b");
});

test("empty files, plain and compressed, and files of one byte", async () => {
  for (const content of ["", gzipSync("")]) {
    expect((await refusalOf(write("empty.csv", content))).code).toBe("INPUT_EMPTY");
  }
  expect((await refusalOf(write("one-byte.csv", "u"))).code).toBe("INPUT_MALFORMED");
  expect((await refusalOf(write("half-magic.csv", Uint8Array.of(0x1f)))).code).toBe("INPUT_MALFORMED");
});

test.each([
  ["plain", (text: string) => Buffer.from(text)],
  ["gzip", (text: string) => gzipSync(text)],
])("an aborted signal cancels the reading of a %s file, before it starts or on the way", async (name, encode) => {
  const path = write(`cancel-${name}.csv`, encode(large));
  expect((await refusalOf(path, { signal: AbortSignal.abort() })).code).toBe("CANCELLED");

  const controller = new AbortController();
  const steps: Progress[] = [];
  const error = await refusalOf(path, {
    signal: controller.signal,
    onProgress: (progress) => {
      steps.push(progress);
      controller.abort();
    },
  });
  expect(error.code).toBe("CANCELLED");
  expect(steps).toHaveLength(1);
  expect(steps[0]!.done).toBeLessThan(LARGE_ROWS);
});

test("progress tells rows read, rising, and then that the array is built", async () => {
  const steps: Progress[] = [];
  await readOccupancyFile(write("progress.csv", large), { onProgress: (progress) => steps.push(progress) });
  const reading = steps.filter(({ step }) => step === "reading rows");
  expect(reading.length).toBe(2);
  expect(reading[0]!.done).toBeGreaterThanOrEqual(100_000);
  expect(reading[1]!.done).toBeGreaterThanOrEqual(reading[0]!.done + 100_000);
  expect(steps.at(-1)).toEqual({ step: "building the occupancy array", done: LARGE_ROWS });
});
