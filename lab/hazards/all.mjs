/** Every hazard by its name, in the order they are run. */
import { clockJumps } from "./clock.mjs";
import { damagedLedger } from "./damage.mjs";
import { fileSizeLimit, fullLedger, fullOut } from "./full-disk.mjs";
import { fullState } from "./full-state.mjs";
import { killAnywhere } from "./kill.mjs";
import { noMemory } from "./memory.mjs";
import { readOnlyDisk, readOnlyFolder } from "./read-only.mjs";
import { recordsChanged } from "./records-changed.mjs";
import { twoVersions } from "./versions.mjs";
import { deadGridWorker, deadJobWorker } from "./workers.mjs";

export const hazards = {
  "full-ledger": fullLedger,
  "full-out": fullOut,
  "full-state": fullState,
  "file-size-limit": fileSizeLimit,
  "read-only-folder": readOnlyFolder,
  "read-only-disk": readOnlyDisk,
  "records-changed": recordsChanged,
  "clock-jumps": clockJumps,
  kill: killAnywhere,
  "damaged-ledger": damagedLedger,
  "two-versions": twoVersions,
  "no-memory": noMemory,
  "dead-grid-worker": deadGridWorker,
  "dead-job-worker": deadJobWorker,
};
