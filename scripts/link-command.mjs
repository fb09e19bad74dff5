/** Makes `npx veilgrid` find the built program in the clone itself: npm links a package's commands only for those who depend on it. */
import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

export function linkCommand() {
  const modules = path.join(root, "node_modules");
  if (!existsSync(modules) || process.platform === "win32") return;
  const bin = path.join(modules, ".bin");
  mkdirSync(bin, { recursive: true });
  rmSync(path.join(bin, "veilgrid"), { force: true });
  symlinkSync(path.relative(bin, path.join(root, "dist", "apps", "cli", "main.js")), path.join(bin, "veilgrid"));
}
