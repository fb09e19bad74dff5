/** Reads and writes ClickHouse's Native format as typed arrays, without touching single values. */
import { isUtf8 } from "node:buffer";
import { invariant } from "../../../core/errors/index.ts";

export type NativeColumn = Uint8Array | Uint32Array | BigUint64Array | BigInt64Array | Float64Array | string[];

const NUMBERS = {
  UInt8: Uint8Array,
  UInt32: Uint32Array,
  UInt64: BigUint64Array,
  Int64: BigInt64Array,
  Float64: Float64Array,
};

type Numbers = Exclude<NativeColumn, string[]>;

/** What arrived is no block: an error's text that the server wrote after rows, or the end before it was due. */
export class BrokenAnswer extends Error {}

/** A text that is no text: ids are, in every other engine. */
export class NotUtf8 extends Error {}

/** Blocks of `width` columns each, until the answer ends where a block does. */
export async function* nativeBlocks(
  answer: AsyncIterable<Uint8Array>,
  width: number,
): AsyncGenerator<{ readonly rows: number; readonly columns: readonly NativeColumn[] }> {
  const bytes = new Bytes(answer);
  while (!(await bytes.isAtEnd())) {
    // An error's text begins with a letter, which no block of ours does.
    if (bytes.peek() !== width) throw new BrokenAnswer(await bytes.restAsText());
    await bytes.count();
    const rows = await bytes.count();
    const columns: NativeColumn[] = [];
    for (let column = 0; column < width; column++) {
      await bytes.text();
      const type = await bytes.text();
      if (rows === 0) columns.push([]);
      else columns.push(type === "String" ? await bytes.texts(rows) : await bytes.numbers(type, rows));
    }
    if (rows > 0) yield { rows, columns };
  }
}

class Bytes {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #chunk: Buffer = Buffer.alloc(0);
  #at = 0;

  constructor(answer: AsyncIterable<Uint8Array>) {
    this.#chunks = answer[Symbol.asyncIterator]();
  }

  async isAtEnd(): Promise<boolean> {
    return this.#at >= this.#chunk.length && !(await this.#more());
  }

  peek(): number {
    return this.#chunk[this.#at]!;
  }

  /** A length of at most 35 bits, seven of them in each byte. */
  async count(): Promise<number> {
    let value = 0;
    for (let scale = 1; scale < 2 ** 35; scale *= 128) {
      if (this.#at >= this.#chunk.length) await this.#demand();
      const byte = this.#chunk[this.#at++]!;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new BrokenAnswer("a length is too large");
  }

  async text(): Promise<string> {
    const length = await this.count();
    while (this.#chunk.length - this.#at < length) await this.#demand();
    this.#at += length;
    return this.#chunk.toString("utf8", this.#at - length, this.#at);
  }

  async texts(rows: number): Promise<string[]> {
    const texts: string[] = [];
    while (texts.length < rows) {
      const length = await this.count();
      while (this.#chunk.length - this.#at < length) await this.#demand();
      const from = this.#at;
      this.#at += length;
      const text = this.#chunk.toString("latin1", from, this.#at);
      // Most ids are plain: only what is not is looked at twice.
      if (!PLAIN.test(text)) {
        if (!isUtf8(this.#chunk.subarray(from, this.#at))) throw new NotUtf8();
        texts.push(this.#chunk.toString("utf8", from, this.#at));
      } else texts.push(text);
    }
    return texts;
  }

  async numbers(type: string, rows: number): Promise<Numbers> {
    if (!Object.hasOwn(NUMBERS, type)) throw new BrokenAnswer(`a column of type ${type} was not asked for`);
    const numbers = new NUMBERS[type as keyof typeof NUMBERS](rows);
    const target = new Uint8Array(numbers.buffer);
    for (let filled = 0; filled < target.length; ) {
      if (this.#at >= this.#chunk.length) await this.#demand();
      const part = this.#chunk.subarray(this.#at, this.#at + target.length - filled);
      target.set(part, filled);
      filled += part.length;
      this.#at += part.length;
    }
    return numbers;
  }

  async restAsText(): Promise<string> {
    while (this.#chunk.length - this.#at < 100_000 && (await this.#more()));
    return this.#chunk.toString("utf8", this.#at);
  }

  async #demand(): Promise<void> {
    if (!(await this.#more())) throw new BrokenAnswer("the answer ended early");
  }

  /** Joins what is left with what comes next; false at the end. */
  async #more(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done === true) return false;
    const rest = this.#chunk.subarray(this.#at);
    const chunk = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
    this.#chunk = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    this.#at = 0;
    return true;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of the first 128 are meant
const PLAIN = /^[\x00-\x7f]*$/;

/** Rows of a block that is sent: large enough that heads do not matter, small enough that little is held twice. */
const ROWS_AT_A_TIME = 65_536;

/** Columns as the bytes that INSERT … FORMAT Native takes. */
export function* nativeBytes(
  columns: ReadonlyArray<{ readonly name: string; readonly values: NativeColumn }>,
): Generator<Buffer> {
  const rows = columns[0]?.values.length ?? 0;
  for (let from = 0; from < rows; from += ROWS_AT_A_TIME) {
    const to = Math.min(rows, from + ROWS_AT_A_TIME);
    yield Buffer.from([...countBytes(columns.length), ...countBytes(to - from)]);
    for (const { name, values } of columns) {
      yield Buffer.concat([textBytes(name), textBytes(typeOf(values))]);
      if (Array.isArray(values)) yield Buffer.concat(values.slice(from, to).map(textBytes));
      else {
        const part = values.subarray(from, to);
        yield Buffer.from(part.buffer, part.byteOffset, part.byteLength);
      }
    }
  }
}

export function typeOf(values: NativeColumn): string {
  if (Array.isArray(values)) return "String";
  const found = Object.entries(NUMBERS).find(([, kind]) => values instanceof kind);
  invariant(found !== undefined, "a typed array of a kind that tables have");
  return found[0];
}

function countBytes(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...countBytes(Math.floor(value / 128))];
}

function textBytes(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from(countBytes(bytes.length)), bytes]);
}
