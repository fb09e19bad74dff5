/** Config files: the flags of a dataset, written for `--config` to read. */
import { configText } from "../../data/sources/index.ts";
import { checkOut, writeFileWhole } from "./write-file.ts";

export async function writeConfigFile(
  path: string,
  source: string,
  flags: ReadonlyArray<readonly [name: string, value: string | boolean]>,
): Promise<void> {
  await checkOut(path, source, "--write-config");
  await writeFileWhole(path, [
    configText(flags, ["How a dataset is read: flags of veilgrid by name. Flags on the command line win."]),
  ]);
}
