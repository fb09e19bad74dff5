/** An error as it passes between threads and into rows: a code and one line that may be shown; the trace is for the log. */
import { ERRORS, type ErrorCode, VeilgridError } from "../../core/errors/index.ts";

export interface ToldError {
  readonly code: ErrorCode;
  readonly message: string;
  /** Where an error that is not ours came from, without its message, which might quote a value. */
  readonly trace: string | null;
}

/** What is told of every error that is not ours. */
const UNEXPECTED = "something went wrong that should not; the service's log says where";

export type Log = (line: string) => void;

export function tellError(error: unknown): ToldError {
  if (error instanceof VeilgridError) return { code: error.code, message: error.message, trace: null };
  return { code: "INTERNAL", message: UNEXPECTED, trace: traceOf(error) };
}

export function toldAsError({ code, message }: Pick<ToldError, "code" | "message">): VeilgridError {
  return new VeilgridError(code in ERRORS ? code : "INTERNAL", message);
}

function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${typeof error}`;
  const code = (error as NodeJS.ErrnoException).code;
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return [`${error.name}${typeof code === "string" ? ` ${code}` : ""}`, ...frames.map((line) => line.trim())].join(
    "; ",
  );
}
