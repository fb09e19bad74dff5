/** Every hazard by its name, in the order they are run. */
import { clockJumps } from "./clock.mjs";
import { fileSizeLimit, fullLedger, fullOut } from "./full-disk.mjs";
import { killAnywhere } from "./kill.mjs";
import { readOnlyDisk, readOnlyFolder } from "./read-only.mjs";
import { recordsChanged } from "./records-changed.mjs";
import { twoVersions } from "./versions.mjs";

export const hazards = {
  "full-ledger": fullLedger,
  "full-out": fullOut,
  "file-size-limit": fileSizeLimit,
  "read-only-folder": readOnlyFolder,
  "read-only-disk": readOnlyDisk,
  "records-changed": recordsChanged,
  "clock-jumps": clockJumps,
  kill: killAnywhere,
  "two-versions": twoVersions,
};
