/** Stores each id's text once: in a hash table over UTF-8 bytes while reading, in one sorted byte table afterwards. */
import { VeilgridError } from "../errors/index.ts";
import { GrowableBytes, GrowableUint32 } from "./growable.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** So that a row of the canonical CSV stays far below what its reader takes for a record. */
const LONGEST_ID_BYTES = 1 << 16;
const MOST_BYTES = 0xffffffff;

/** Distinct ids, ascending by UTF-8 bytes. Index and id are interchangeable names of the same user or grid. */
export class IdTable implements Iterable<string> {
  /** The bytes of all ids one after another. */
  readonly allBytes: Uint8Array;
  /** Where each id begins in `allBytes`, and at last where the last one ends. */
  readonly starts: Uint32Array;

  /** The caller vouches for the order. */
  constructor(allBytes: Uint8Array, starts: Uint32Array) {
    this.allBytes = allBytes;
    this.starts = starts;
  }

  /** Of ids one after another, given by how many bytes each has. The caller vouches that they are UTF-8 in ascending order. */
  static ofBytes(bytes: Uint8Array, lengths: ArrayLike<number>): IdTable {
    if (bytes.length > MOST_BYTES) refuseSoManyBytes();
    const starts = new Uint32Array(lengths.length + 1);
    for (let index = 0; index < lengths.length; index++) {
      if (lengths[index]! > LONGEST_ID_BYTES) refuseLongId(lengths[index]!);
      starts[index + 1] = starts[index]! + lengths[index]!;
    }
    return new IdTable(bytes, starts);
  }

  get length(): number {
    return this.starts.length - 1;
  }

  get(index: number): string {
    return decoder.decode(this.bytesOf(index));
  }

  /** The id's UTF-8 bytes, as a view. */
  bytesOf(index: number): Uint8Array {
    return this.allBytes.subarray(this.starts[index], this.starts[index + 1]);
  }

  /** The index of an id, or −1. */
  indexOf(id: string): number {
    const wanted = encoder.encode(id);
    let low = 0;
    let high = this.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const order = compareBytes(this.bytesOf(middle), wanted);
      if (order === 0) return this.get(middle) === id ? middle : -1;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  *[Symbol.iterator](): IterableIterator<string> {
    for (let index = 0; index < this.length; index++) yield this.get(index);
  }
}

/** Gives each distinct id a number in order of appearance. */
export class IdInterner {
  readonly #bytes = new GrowableBytes();
  readonly #starts = new GrowableUint32();
  readonly #hashes = new GrowableUint32();
  /** Open addressing; 0 is empty, otherwise number + 1. */
  #slots = new Int32Array(2048);
  #scratch = new Uint8Array(256);

  constructor() {
    this.#starts.push(0);
  }

  get length(): number {
    return this.#hashes.length;
  }

  /** The number of an id given as well-formed text. */
  internText(id: string): number {
    if (!id.isWellFormed())
      throw new VeilgridError("INPUT_MALFORMED", "an id holds half a surrogate pair; ids are Unicode text");
    if (this.#scratch.length < 3 * id.length) this.#scratch = new Uint8Array(6 * id.length);
    const { written } = encoder.encodeInto(id, this.#scratch);
    return this.#intern(this.#scratch, 0, written, false);
  }

  /** The number of the id in source[start … end); throws a TypeError if a new id is not valid UTF-8. */
  internBytes(source: Uint8Array, start: number, end: number): number {
    return this.#intern(source, start, end, true);
  }

  #intern(source: Uint8Array, start: number, end: number, validate: boolean): number {
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ source[at]!, 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    hash = (hash ^ (hash >>> 13)) >>> 0;
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const number = this.#slots[slot]! - 1;
      if (number < 0) break;
      if (this.#hashes.at(number) === hash && this.#same(number, source, start, end)) return number;
      slot = (slot + 1) & mask;
    }
    if (end - start > LONGEST_ID_BYTES) refuseLongId(end - start);
    if (validate) strictDecoder.decode(source.subarray(start, end));
    if (this.#bytes.length + end - start > MOST_BYTES) refuseSoManyBytes();
    this.#bytes.append(source, start, end);
    this.#starts.push(this.#bytes.length);
    this.#hashes.push(hash);
    this.#slots[slot] = this.length;
    if (2 * this.length > this.#slots.length) this.#grow();
    return this.length - 1;
  }

  #same(number: number, source: Uint8Array, start: number, end: number): boolean {
    const from = this.#starts.at(number);
    if (this.#starts.at(number + 1) - from !== end - start) return false;
    const storage = this.#bytes.storage();
    for (let at = start; at < end; at++) if (storage[from + at - start] !== source[at]) return false;
    return true;
  }

  #grow(): void {
    const slots = new Int32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let number = 0; number < this.length; number++) {
      let slot = this.#hashes.at(number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }

  /** The sorted table, and for each number given out its index there. */
  finish(): { table: IdTable; rank: Uint32Array } {
    const count = this.length;
    const storage = this.#bytes.storage();
    const starts = this.#starts.view();
    const order = sortByBytes(storage, starts);
    const rank = new Uint32Array(count);
    const sortedBytes = new Uint8Array(this.#bytes.length);
    const sortedStarts = new Uint32Array(count + 1);
    let length = 0;
    for (let index = 0; index < count; index++) {
      const number = order[index]!;
      rank[number] = index;
      sortedBytes.set(storage.subarray(starts[number], starts[number + 1]), length);
      length += starts[number + 1]! - starts[number]!;
      sortedStarts[index + 1] = length;
    }
    return { table: new IdTable(sortedBytes, sortedStarts), rank };
  }
}

function refuseLongId(bytes: number): never {
  throw new VeilgridError("INPUT_TOO_LARGE", `an id of ${bytes} bytes; ids have at most ${LONGEST_ID_BYTES}`);
}

function refuseSoManyBytes(): never {
  throw new VeilgridError("INPUT_TOO_LARGE", "the distinct ids together exceed 4 GiB");
}

/** The order of ids everywhere: by UTF-8 bytes. */
export function compareIds(left: string, right: string): number {
  return compareBytes(encoder.encode(left), encoder.encode(right));
}

function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at++) {
    if (left[at] !== right[at]) return left[at]! - right[at]!;
  }
  return left.length - right.length;
}

const INSERTION_SORT_LIMIT = 12;

/** Indices of the strings bytes[starts[i] … starts[i + 1]) in ascending order by bytes. The strings are distinct. */
export function sortByBytes(bytes: Uint8Array, starts: Uint32Array): Uint32Array {
  const order = new Uint32Array(starts.length - 1).map((_, index) => index);
  if (isSorted(bytes, starts)) return order;
  // Sorts order[low … high) whose strings agree in their first `depth` bytes; ranges wait on a stack, so depth costs no recursion.
  const pending: number[] = [0, order.length, 0];
  while (pending.length > 0) {
    const depth = pending.pop()!;
    const high = pending.pop()!;
    const low = pending.pop()!;
    if (high - low <= INSERTION_SORT_LIMIT) {
      insertionSort(bytes, starts, order, { low, high, depth });
      continue;
    }
    const pivot = byteAt(bytes, starts, order[(low + high) >>> 1]!, depth);
    let less = low;
    let next = low;
    let greater = high;
    while (next < greater) {
      const string = order[next]!;
      const byte = byteAt(bytes, starts, string, depth);
      if (byte < pivot) {
        order[next++] = order[less]!;
        order[less++] = string;
      } else if (byte > pivot) {
        order[next] = order[--greater]!;
        order[greater] = string;
      } else {
        next += 1;
      }
    }
    pending.push(low, less, depth, greater, high, depth);
    // Distinct strings: at most one ends exactly here, so an exhausted middle part needs no more sorting.
    if (pivot >= 0) pending.push(less, greater, depth + 1);
  }
  return order;
}

/** Engines often give ids in order. */
function isSorted(bytes: Uint8Array, starts: Uint32Array): boolean {
  for (let string = 1; string < starts.length - 1; string++) {
    if (isBefore(bytes, starts, string, string - 1, 0)) return false;
  }
  return true;
}

/** The byte at `depth`, or −1 past the end: a prefix sorts before its extensions. */
function byteAt(bytes: Uint8Array, starts: Uint32Array, string: number, depth: number): number {
  const at = starts[string]! + depth;
  return at < starts[string + 1]! ? bytes[at]! : -1;
}

function insertionSort(
  bytes: Uint8Array,
  starts: Uint32Array,
  order: Uint32Array,
  range: { low: number; high: number; depth: number },
): void {
  for (let next = range.low + 1; next < range.high; next++) {
    const string = order[next]!;
    let hole = next;
    while (hole > range.low && isBefore(bytes, starts, string, order[hole - 1]!, range.depth)) {
      order[hole] = order[hole - 1]!;
      hole -= 1;
    }
    order[hole] = string;
  }
}

function isBefore(bytes: Uint8Array, starts: Uint32Array, left: number, right: number, fromDepth: number): boolean {
  for (let depth = fromDepth; ; depth++) {
    const leftByte = byteAt(bytes, starts, left, depth);
    const rightByte = byteAt(bytes, starts, right, depth);
    if (leftByte !== rightByte) return leftByte < rightByte;
    if (leftByte < 0) return false;
  }
}
