/** Builds dist/ from src/ and makes `npx veilgrid` find it in the clone itself. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");

rmSync(path.join(root, "dist"), { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
if (status !== 0) process.exit(status ?? 1);

const program = path.join(root, "dist", "cli", "main.js");
chmodSync(program, 0o755);
// npm links a package's commands for those who depend on it, not inside its own clone; without the link npx would install it first.
const bin = path.join(root, "node_modules", ".bin");
if (existsSync(path.join(root, "node_modules")) && process.platform !== "win32") {
  mkdirSync(bin, { recursive: true });
  rmSync(path.join(bin, "veilgrid"), { force: true });
  symlinkSync(path.relative(bin, program), path.join(bin, "veilgrid"));
}
