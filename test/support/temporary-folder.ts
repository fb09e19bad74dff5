/** Makes fresh folders for tests; the run's temporary folder goes away with them. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export function temporaryFolder(): string {
  return mkdtempSync(path.join(tmpdir(), "veilgrid-test-"));
}
