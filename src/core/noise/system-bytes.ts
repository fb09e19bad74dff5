/** The operating system's random bytes. */
import { randomFillSync } from "node:crypto";
import type { ByteSource } from "./random-bits.ts";

/** Fills the array with bytes of the operating system's generator, which are taken to be independent and uniform (docs/mathematics.md, Theorem 12). */
export const systemBytes: ByteSource = (bytes) => void randomFillSync(bytes);
