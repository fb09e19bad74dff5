/** Columns off the wire and onto it, whole or noticed. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BrokenAnswer, NotUtf8, nativeBlocks, nativeBytes } from "./native-format.ts";

/** Bytes as they come off a wire: in pieces of any length. */
async function* pieces(bytes: Buffer, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, piece = 0; at < bytes.length; piece++) {
    const length = lengths[piece % lengths.length]!;
    yield Uint8Array.from(bytes.subarray(at, at + length));
    at += length;
  }
}

function textColumn(name: string, texts: readonly Buffer[]): Buffer {
  const short = (bytes: Buffer): Buffer => Buffer.concat([Buffer.of(bytes.length), bytes]);
  return Buffer.concat([short(Buffer.from(name)), short(Buffer.from("String")), ...texts.map(short)]);
}

async function readAll(answer: AsyncIterable<Uint8Array>, width: number): Promise<unknown[][]> {
  const columns: unknown[][] = Array.from({ length: width }, () => []);
  for await (const block of nativeBlocks(answer, width))
    block.columns.forEach((column, at) => {
      columns[at]!.push(...(column as Iterable<unknown>));
    });
  return columns;
}

describe("numbers", () => {
  test("come back as they went, however they are cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat({ max: 2 ** 32 - 1 }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.double()), {
          minLength: 1,
        }),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 4 }),
        async (rows, lengths) => {
          const columns = [
            { name: "a", values: Uint32Array.from(rows, ([a]) => a) },
            { name: "b", values: BigUint64Array.from(rows, ([, b]) => b) },
            { name: "c", values: Float64Array.from(rows, ([, , c]) => c) },
          ];
          const read = await readAll(pieces(Buffer.concat([...nativeBytes(columns)]), lengths), 3);
          expect(read).toEqual(columns.map(({ values }) => [...values]));
        },
      ),
    );
  });

  test("of more rows than a block holds come in several", async () => {
    const values = Uint32Array.from({ length: 150_000 }, (_, at) => at);
    const bytes = Buffer.concat([...nativeBytes([{ name: "a", values }])]);
    let blocks = 0;
    for await (const { rows } of nativeBlocks(pieces(bytes, [100_000]), 1)) {
      expect(rows).toBeLessThanOrEqual(65_536);
      blocks += 1;
    }
    expect(blocks).toBe(3);
  });
});

describe("texts", () => {
  const block = (texts: readonly Buffer[]): Buffer =>
    Buffer.concat([Buffer.of(1, texts.length), textColumn("t", texts)]);

  test("of any characters", async () => {
    const texts = ["", "plain", "Ünïcödé", "🚌", "a\0b", "\n"];
    const bytes = block(texts.map((text) => Buffer.from(text)));
    for (const length of [1, 2, 3, 100]) expect(await readAll(pieces(bytes, [length]), 1)).toEqual([texts]);
  });

  test("come back as they were sent, beside numbers", async () => {
    const texts = ["", "plain", "Ünïcödé", "🚌", "a\0b", "\n", "x".repeat(300)];
    const values = Uint32Array.from(texts, (text) => text.length);
    const sent = [
      { name: "t", values: texts },
      { name: "n", values },
    ];
    expect(await readAll(pieces(Buffer.concat([...nativeBytes(sent)]), [7]), 2)).toEqual([texts, [...values]]);
  });

  test("that are none", async () => {
    await expect(readAll(pieces(block([Buffer.from([0xff, 0x61])]), [100]), 1)).rejects.toThrow(NotUtf8);
  });
});

describe("an answer that is broken off", () => {
  const bytes = Buffer.concat([...nativeBytes([{ name: "a", values: Uint32Array.of(1, 2, 3) }])]);

  test("anywhere but between blocks is noticed", async () => {
    for (let length = 1; length < bytes.length; length++)
      await expect(readAll(pieces(bytes.subarray(0, length), [7]), 1)).rejects.toThrow(BrokenAnswer);
    expect(await readAll(pieces(bytes, [7]), 1)).toEqual([[1, 2, 3]]);
  });

  test("with an error's text after some blocks is noticed, and the text is kept for its number", async () => {
    const answer = Buffer.concat([bytes, Buffer.from("Code: 395, e.displayText() = DB::Exception: …")]);
    await expect(readAll(pieces(answer, [11]), 1)).rejects.toThrow(/^Code: 395,/);
  });
});
