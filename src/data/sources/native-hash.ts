/** Node's own SHA-256, for arrays of millions of entries. */
import { createHash } from "node:crypto";
import type { RunningHash } from "../../core/occupancy/index.ts";

export function nativeHash(): RunningHash {
  const hash = createHash("sha256");
  return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest("hex") };
}
