/** Writes rows of text as bytes into one buffer that is handed out in chunks: no string is made per record. */

const CHUNK_BYTES = 1 << 17;
/** More than is ever written between two looks at isFull: a row, or the rows still to be sent again at the end. */
const SPARE_BYTES = 1 << 15;
const ZERO = 48;
const DOT = 46;
const MINUS = 45;

export class ByteWriter {
  readonly #bytes = new Uint8Array(CHUNK_BYTES + SPARE_BYTES);
  #at = 0;

  get isFull(): boolean {
    return this.#at >= CHUNK_BYTES;
  }

  get length(): number {
    return this.#at;
  }

  /** A copy of what was written since the last chunk. */
  takeChunk(): Uint8Array {
    const chunk = this.#bytes.slice(0, this.#at);
    this.#at = 0;
    return chunk;
  }

  /** A copy of what was written since then, to be written again. */
  copyFrom(start: number): Uint8Array {
    return this.#bytes.slice(start, this.#at);
  }

  write(text: Uint8Array): void {
    // Short texts: a loop is faster than a call of set.
    const bytes = this.#bytes;
    let at = this.#at;
    for (let byte = 0; byte < text.length; byte++) bytes[at++] = text[byte]!;
    this.#at = at;
  }

  /** A whole number of millionths, as 21.170000. */
  writeMillionths(millionths: number): void {
    this.#writeFixed(millionths, 1_000_000);
  }

  /** A whole number of tenths, as 23.4. */
  writeTenths(tenths: number): void {
    this.#writeFixed(tenths, 10);
  }

  writeWhole(value: number): void {
    if (value < 0) this.#bytes[this.#at++] = MINUS;
    this.#writeDigits(Math.abs(value), 1);
  }

  #writeFixed(scaled: number, scale: number): void {
    const size = Math.abs(scaled);
    if (scaled < 0) this.#bytes[this.#at++] = MINUS;
    const whole = Math.trunc(size / scale);
    this.#writeDigits(whole, 1);
    this.#bytes[this.#at++] = DOT;
    this.#writeDigits(size - whole * scale, scale / 10);
  }

  /** The digits down from the place of `unit`, zeros included, or from the number's own first one if it is longer. */
  #writeDigits(value: number, unit: number): void {
    let place = unit;
    while (place * 10 <= value) place *= 10;
    let rest = value | 0;
    for (place |= 0; place >= 1; place = (place / 10) | 0) {
      const digit = (rest / place) | 0;
      this.#bytes[this.#at++] = ZERO + digit;
      rest -= digit * place;
    }
  }
}
