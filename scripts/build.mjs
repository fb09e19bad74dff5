/** Builds dist/ from src/ and the dashboard from web/, and makes `npx veilgrid` find it in the clone itself. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
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

// Within functions that say `await using` the compiler leaves dynamic imports as they are.
const left = readdirSync(path.join(root, "dist"), { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".js") && /import\("[^"]*\.ts"\)/.test(readFileSync(path.join(root, "dist", file), "utf8")),
);
if (left.length > 0) {
  console.error(`imports of .ts are left in dist: ${left.join(", ")}; move them out of functions with 'await using'`);
  process.exit(1);
}

// As an API and not as a command: its start alone would take as long as the build.
const { build } = await import("vite");
await build({ configFile: path.join(root, "web", "vite.config.ts"), logLevel: "warn" });

const program = path.join(root, "dist", "cli", "main.js");
chmodSync(program, 0o755);
// npm links a package's commands for those who depend on it, not inside its own clone; without the link npx would install it first.
const bin = path.join(root, "node_modules", ".bin");
if (existsSync(path.join(root, "node_modules")) && process.platform !== "win32") {
  mkdirSync(bin, { recursive: true });
  rmSync(path.join(bin, "veilgrid"), { force: true });
  symlinkSync(path.relative(bin, program), path.join(bin, "veilgrid"));
}
