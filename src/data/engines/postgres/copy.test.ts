/** Rows in the server's binary form, in whatever pieces they arrive. */
import fc from "fast-check";
import type { Connection } from "pg";
import { expect, test } from "vitest";
import { binaryRows, CopyIn, CopyOut, isNull, textOf, wholeNumber } from "./copy.ts";

/** As the server writes them: a header, fields with their lengths, an end. */
function written(rows: ReadonlyArray<ReadonlyArray<string | bigint | null>>): Buffer {
  const parts: Buffer[] = [Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1")];
  const int = (bytes: 2 | 4, value: number): Buffer => {
    const buffer = Buffer.alloc(bytes);
    buffer.writeIntBE(value, 0, bytes);
    return buffer;
  };
  for (const row of rows) {
    parts.push(int(2, row.length));
    for (const field of row) {
      if (field === null) parts.push(int(4, -1));
      else if (typeof field === "bigint") {
        const eight = Buffer.alloc(8);
        eight.writeBigInt64BE(field);
        parts.push(int(4, 8), eight);
      } else parts.push(int(4, Buffer.byteLength(field)), Buffer.from(field));
    }
  }
  return Buffer.concat([...parts, int(2, -1)]);
}

test("rows come out as they went in, however they are cut into messages", async () => {
  const row = fc.tuple(
    fc.option(fc.string({ unit: "grapheme", maxLength: 12 })),
    fc.bigInt({ min: -(2n ** 53n) + 1n, max: 2n ** 53n - 1n }),
    fc.option(fc.constantFrom("", "🚌", "\ufeffbus", "a".repeat(300))),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 8 }),
      fc.array(fc.nat({ max: 400 }), { maxLength: 12 }),
      async (rows, cuts) => {
        const found: unknown[] = [];
        const copy = new CopyOut("", (each) => {
          const text = (field: number): string | null => (isNull(each, field) ? null : textOf(each, field));
          found.push([text(0), BigInt(wholeNumber(each, 1)), text(2)]);
        });
        const bytes = written(rows);
        const at = [...new Set([0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length])].sort(
          (a, b) => a - b,
        );
        for (let piece = 1; piece < at.length; piece++)
          copy.handleCopyData({ chunk: bytes.subarray(at[piece - 1], at[piece]) });
        copy.handleReadyForQuery();
        await copy.done;
        expect(found).toEqual(rows);
      },
    ),
  );
});

test("what fails while rows are taken over is told when the server is ready again", async () => {
  let taken = 0;
  const copy = new CopyOut("", () => {
    taken += 1;
    throw new Error("no room");
  });
  copy.handleCopyData({ chunk: written([["a"], ["b"]]) });
  copy.handleCopyData({ chunk: written([["c"]]).subarray(19) });
  copy.handleReadyForQuery();
  await expect(copy.done).rejects.toThrow("no room");
  expect(taken).toBe(1);
});

test("ids that are not UTF-8 are not taken for something else", () => {
  const bytes = Buffer.from([0xff, 0x61]);
  expect(() => textOf({ bytes, start: [0], end: [2] }, 0)).toThrow(TypeError);
});

test("rows are sent in the same form", async () => {
  const bytes = binaryRows(2, 2, (row, put) => {
    put.whole(BigInt(row) - 1n);
    put.double(row + 0.5);
  });
  const eight = (value: number): string => {
    const buffer = Buffer.alloc(8);
    buffer.writeDoubleBE(value);
    return buffer.toString("latin1");
  };
  const sent: Buffer[] = [];
  const connection = {
    query: () => undefined,
    sendCopyFromChunk: (chunk: Buffer) => sent.push(chunk),
    endCopyFrom: () => sent.push(Buffer.from("end")),
  };
  const copy = new CopyIn("COPY", bytes);
  copy.submit(connection as unknown as Connection);
  copy.handleCopyInResponse(connection as unknown as Parameters<CopyIn["handleCopyInResponse"]>[0]);
  copy.handleReadyForQuery();
  await copy.done;
  expect(sent.map((chunk) => chunk.toString("latin1"))).toEqual([
    `PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0${[0, 1].map((row) => `\0\x02\0\0\0\x08${row === 0 ? "\xff".repeat(8) : "\0".repeat(8)}\0\0\0\x08${eight(row + 0.5)}`).join("")}\xff\xff`,
    "end",
  ]);
});
