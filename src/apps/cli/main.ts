#!/usr/bin/env node
/** The `veilgrid` command as a process: signals, broken pipes and the exit status. */
import { runCommand } from "./run-command.ts";

const abort = new AbortController();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    // Who asks twice does not want to wait; temporary files are taken away all the same.
    if (abort.signal.aborted) process.exit(130);
    abort.abort();
  });
}
// A reader that has seen enough, such as `head`, is no failure; output that cannot be written is one, in one line.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE")
    process.stderr.write(`veilgrid: cannot write to standard output (${error.code ?? "unknown reason"})\n`);
  process.exit(error.code === "EPIPE" ? 0 : 1);
});
// Nowhere left to say so.
process.stderr.on("error", () => undefined);

const status = await runCommand(process.argv.slice(2), process, abort.signal);
if (status !== 0) process.exitCode = status;
