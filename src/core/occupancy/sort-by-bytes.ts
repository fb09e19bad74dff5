/** Sorts byte strings without making JavaScript strings of them (multikey quicksort; Bentley and Sedgewick, 1997). */

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
