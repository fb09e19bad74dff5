/** What this program calls itself in files it writes. */
import { readFileSync } from "node:fs";

export function toolVersion(): string {
  const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  return `veilgrid ${(JSON.parse(text) as { version: string }).version}`;
}
