/** The built program's `serve --demo` as a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";

const root = path.join(import.meta.dirname, "..", "..");
export const program = path.join(root, "dist", "apps", "cli", "main.js");

export interface ServedDemo {
  readonly url: string;
  /** For a curator's token, once. */
  readonly code: string;
  stop(): Promise<void>;
}

export interface ServeOptions {
  /** Working folder; that of the tests if absent. */
  readonly in?: string | undefined;
  /** The demo's own place in the working folder if absent. */
  readonly state?: string | undefined;
  readonly data?: readonly string[] | undefined;
  /** Any that is free if absent. */
  readonly port?: string | undefined;
}

export async function serveDemo({ in: cwd, state, data = [], port = "0" }: ServeOptions): Promise<ServedDemo> {
  const flags = ["--demo", "--port", port];
  if (state !== undefined) flags.push("--state", state);
  if (data.length > 0) flags.push("--data", data.join(","));
  const child = spawn(process.execPath, [program, "serve", ...flags], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const stop = (): Promise<void> => stopped(child);
  try {
    return { ...(await told(child)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What it prints once it listens. */
function told(child: ChildProcess): Promise<{ url: string; code: string }> {
  return new Promise((resolve, reject) => {
    let [out, err] = ["", ""];
    child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      out += text;
      const [, url, code] = out.match(/open (http:\/\/[^/]+)\/#code=(\S+)/) ?? [];
      if (url !== undefined && code !== undefined) resolve({ url, code });
    });
    child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    child.once("error", reject);
    child.once("exit", (status) => reject(new Error(`serve --demo ended with ${status}:\n${err}`)));
  });
}

function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    // Browsers keep connections open; a test does not wait for them.
    const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
    child.once("exit", () => {
      clearTimeout(late);
      resolve();
    });
    child.kill("SIGINT");
  });
}
