/** The service as a process: sources by pattern, one server per folder, and an end that is prompt though somebody listens. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root, veilgrid, veilgridDone } from "../support/cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

async function started(folder: string): Promise<{ child: ChildProcess; url: string }> {
  const program = path.join(root, "dist", "apps", "cli", "main.js");
  const flags = ["serve", "--state", "state", "--data", "data", "--port", "0"];
  const child = spawn(process.execPath, [program, ...flags], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on("data", (text) => resolve(/http:\S+/.exec(String(text))![0]));
    child.once("exit", () => reject(new Error("the service ended")));
  });
  return { child, url };
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once("exit", (code) => resolve(code)));
}

test("patterns, a second server, and SIGTERM while a job is followed", async () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, "data"));
  const rows = Array.from({ length: 400 }, (_, row) => `b${row % 40},s${row % 5},${row % 60}`);
  for (const name of ["a.csv", "b.csv"])
    writeFileSync(path.join(folder, "data", name), `bus,stop,speed\n${rows.join("\n")}\n`);
  const { stdout } = await veilgridDone(["token", "create", "--state", "state", "--role", "curator", "--name", "me"], {
    in: folder,
  });
  const { child, url } = await started(folder);
  try {
    const call = async (method: string, where: string, body?: unknown) => {
      const headers = { authorization: `Bearer ${stdout.trim()}`, "content-type": "application/json" };
      return fetch(url + where, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    };
    const registered = await call("POST", "/v1/datasets", {
      name: "buses",
      source: "*.csv",
      recipe: { user: "bus", value: "speed", by: "stop" },
      bounds: "0,60",
      budget: "5",
      occupancyIsPublic: true,
    });
    expect(registered.status).toBe(201);
    const second = await veilgrid(["serve", "--state", "state", "--data", "data", "--port", "0"], { in: folder });
    expect(second.stderr).toContain("another process serves this state folder");
    expect(second.status).toBe(1);
    const job = await (
      await call("POST", "/v1/datasets/buses/compare", { loss: "0.1,0.2,0.3,0.5,0.7,1,2,3,4,5" })
    ).json();
    const events = await call("GET", `/v1/jobs/${job.id}/events`);
    const followed = events.text();
    child.kill("SIGTERM");
    // A follower is told the end; nobody waits for the job or for the connection.
    expect(await ended(child)).toBe(0);
    expect(await followed).toMatch(/"(interrupted|done)"/);
  } finally {
    child.kill("SIGKILL");
  }
});
