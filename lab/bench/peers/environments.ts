/** Throw-away Python environments, one per peer, so that one that cannot be installed does not stop the others. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Versions that the pinned packages are known to install on, best first. */
const PYTHONS = ["python3.11", "python3.10", "python3"];

export interface Environment {
  readonly python: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The environment, or why there is none. An environment that was made from the same list is taken as it is. */
export function makeEnvironment({
  name,
  requirements,
  folder,
  needsJava,
}: {
  name: string;
  requirements: string;
  folder: string;
  needsJava: boolean;
}): Environment | string {
  const java = needsJava ? findJava() : undefined;
  if (needsJava && java === undefined) return "no Java 17 or 11, and it could not be installed";
  const place = path.join(folder, `environment-${name}`);
  const made = path.join(place, "made-from.txt");
  const wanted = readFileSync(requirements, "utf8");
  const python = path.join(place, "bin", "python");
  const env = java === undefined ? {} : { JAVA_HOME: java };
  if (existsSync(made) && readFileSync(made, "utf8") === wanted) return { python, env };
  const found = PYTHONS.find((each) => spawnSync(each, ["--version"]).status === 0);
  if (found === undefined) return "no Python 3";
  const steps: [string, string[]][] = [
    [found, ["-m", "venv", "--clear", place]],
    [python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements]],
  ];
  for (const [program, given] of steps) {
    const { status, stderr } = spawnSync(program, given, { encoding: "utf8" });
    if (status !== 0) return `not installed: ${lastLine(stderr ?? "")}`;
  }
  writeFileSync(made, wanted);
  return { python, env };
}

export function lastLine(text: string): string {
  return (
    text
      .trim()
      .split("\n")
      .findLast((line) => line.trim() !== "")
      ?.trim()
      .slice(0, 200) ?? "no message"
  );
}

/** A home of Java 17 or 11, which Spark 3.5 runs on; Debian's is installed if it may be. */
function findJava(): string | undefined {
  const known = javaHome();
  if (known !== undefined || process.getuid?.() !== 0) return known;
  spawnSync("apt-get", ["install", "--yes", "--no-install-recommends", "openjdk-17-jre-headless"], { stdio: "ignore" });
  return javaHome();
}

function javaHome(): string | undefined {
  const root = "/usr/lib/jvm";
  const homes = [
    process.env["JAVA_HOME"],
    ...(existsSync(root) ? readdirSync(root).map((each) => path.join(root, each)) : []),
  ];
  return homes.find((home) => {
    if (home === undefined) return false;
    const { stderr, status } = spawnSync(path.join(home, "bin", "java"), ["-version"], { encoding: "utf8" });
    return status === 0 && /version "(17|11)\./.test(stderr);
  });
}
