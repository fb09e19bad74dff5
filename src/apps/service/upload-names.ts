/** What a file that is sent may be called, and how it is named as a source: in full, by an id that only its sender was told. */
import { randomBytes } from "node:crypto";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";

/** No path, nothing that a shell or a pattern could read differently, and a kind of file that can be read. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const KIND = /\.((csv|tsv|json|jsonl|ndjson)(\.gz)?|parquet)$/i;
const ID_BYTES = 12;
const ID = /^[0-9a-f]{24}$/;

export function newUploadId(): string {
  return randomBytes(ID_BYTES).toString("hex");
}

/** Exactly `<id>/<name>`, as an upload is answered. */
export function isUploadSource(source: string): boolean {
  const [id = "", name = "", ...more] = source.split("/");
  return more.length === 0 && ID.test(id) && NAME.test(name) && KIND.test(name);
}

export function checkUploadName(name: string): void {
  if (!NAME.test(name))
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `name ${quoteForMessage(name)} must be a file's name of at most 100 letters, digits, dots, hyphens and underscores, without a path`,
    );
  if (!KIND.test(name))
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `name ${quoteForMessage(name)} must end in .csv, .tsv, .json, .jsonl, .ndjson, one of these with .gz, or .parquet`,
    );
}
