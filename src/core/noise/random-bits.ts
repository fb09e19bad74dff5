/** Uniform bits from an injected source of bytes, and exact uniform integers made of them by rejection. */
import { bitLength } from "../arithmetic/index.ts";
import { invariant } from "../errors/index.ts";

/** Fills `bytes` with independent uniform bytes. The operating system's for a release; replayed ones in tests. */
export type ByteSource = (bytes: Uint8Array) => void;

/** What exact samplers draw. */
export interface Uniform {
  /** Uniform on 0 … bound − 1. */
  below(bound: bigint): bigint;
  coin(): boolean;
}

const BUFFER_BYTES = 4096;

/** Uniform integers and fair coins of independent uniform bytes, each byte used once (docs/mathematics.md, Theorem 12). */
export class RandomBits implements Uniform {
  readonly #fill: ByteSource;
  readonly #bytes = new Uint8Array(BUFFER_BYTES);
  #next = BUFFER_BYTES;

  constructor(fill: ByteSource) {
    this.#fill = fill;
  }

  /** Uniform on 0 … 2^bits − 1, of whole bytes; the bits too many are thrown away. */
  #bits(bits: number): bigint {
    let digits = "0x0";
    for (let byte = (bits + 7) >> 3; byte > 0; byte--) digits += HEX[this.#byte()]!;
    return BigInt(digits) >> BigInt(-bits & 7);
  }

  #byte(): number {
    if (this.#next === BUFFER_BYTES) {
      this.#fill(this.#bytes);
      this.#next = 0;
    }
    const byte = this.#bytes[this.#next]!;
    // Used once: nothing of a draw stays behind in memory that a later one could repeat.
    this.#bytes[this.#next++] = 0;
    return byte;
  }

  /** Uniform on 0 … bound − 1, exactly: draws beyond it are drawn again. */
  below(bound: bigint): bigint {
    invariant(bound > 0n, "an empty range has no uniform integer");
    const bits = bitLength(bound - 1n);
    for (;;) {
      const drawn = this.#bits(bits);
      if (drawn < bound) return drawn;
    }
  }

  coin(): boolean {
    return (this.#byte() & 1) === 1;
  }
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
