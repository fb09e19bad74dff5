/** Says what went wrong while reading a file, in one line. */
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";

export function asReadError(error: unknown, name: string): unknown {
  if (error instanceof VeilgridError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? "";
  const shown = quoteForMessage(name);
  if (code === "ENOENT") return new VeilgridError("INPUT_NOT_FOUND", `${shown} does not exist; check the path`);
  if (code === "EACCES")
    return new VeilgridError("INPUT_UNREADABLE", `${shown} may not be read by this user; check its permissions`);
  if (code === "Z_BUF_ERROR")
    return new VeilgridError("INPUT_UNREADABLE", `${shown}: the gzip file ends early; copy it again`);
  if (code.startsWith("Z_"))
    return new VeilgridError("INPUT_UNREADABLE", `${shown}: the gzip data is damaged; copy it again`);
  return new VeilgridError("INPUT_UNREADABLE", `${shown} cannot be read (${code || "unknown reason"})`, {
    cause: error,
  });
}
