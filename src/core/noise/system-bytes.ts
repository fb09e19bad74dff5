/** The operating system's random bytes. */
import { randomFillSync } from "node:crypto";
import type { ByteSource } from "./random-bits.ts";

export const systemBytes: ByteSource = (bytes) => void randomFillSync(bytes);
