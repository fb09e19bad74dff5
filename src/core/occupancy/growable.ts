/** Typed arrays that grow by doubling. */

/** An append-only column of unsigned 32-bit integers. */
export class GrowableUint32 {
  #values = new Uint32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Uint32Array(2 * this.#values.length);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = value;
  }

  at(index: number): number {
    return this.#values[index]!;
  }

  /** The values so far, without a copy; valid until the next push. */
  view(): Uint32Array {
    return this.#values.subarray(0, this.#length);
  }
}

/** An append-only run of bytes. */
export class GrowableBytes {
  #bytes = new Uint8Array(4096);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(source: Uint8Array, start: number, end: number): void {
    const needed = this.#length + end - start;
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(source.subarray(start, end), this.#length);
    this.#length = needed;
  }

  /** The storage itself, longer than `length`; valid until the next append. */
  storage(): Uint8Array {
    return this.#bytes;
  }
}
