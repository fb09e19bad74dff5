/** What an installation brings along: `npm run supply-chain` prints packages, sizes, licences and install scripts of what is installed without development; `-- --sbom FILE` writes a CycloneDX document. */
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const { values: flags } = parseArgs({ options: { sbom: { type: "string" } } });

const lock = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8"));
const { dependencies } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
/** Not for development, and for this platform. */
const installed = Object.entries(lock.packages).filter(
  ([place, { dev, devOptional }]) => place !== "" && !dev && !devOptional && existsSync(path.join(root, place)),
);

function bytesIn(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    // A package's own packages are counted as theirs.
    if (entry.isDirectory() && entry.name !== "node_modules") bytes += bytesIn(place);
    else if (entry.isFile()) bytes += lstatSync(place).size;
  }
  return bytes;
}

const nameOf = (place) => place.replace(/^.*node_modules\//, "");
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
const rows = installed.map(([place, { version, license, hasInstallScript }]) => ({
  name: nameOf(place),
  version,
  license: license ?? "not said",
  bytes: bytesIn(path.join(root, place)),
  isOurs: Object.hasOwn(dependencies, nameOf(place)),
  runsAtInstall: hasInstallScript === true,
}));
const total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
const scripts = rows.filter(({ runsAtInstall }) => runsAtInstall);
const licences = new Map();
for (const { license } of rows) licences.set(license, (licences.get(license) ?? 0) + 1);

console.log(
  `${rows.length} packages, ${megabytes(total)} MB; ${rows.filter(({ isOurs }) => isOurs).length} asked for by name, the others by those`,
);
for (const { name, version, license, bytes, isOurs } of rows.sort((a, b) => b.bytes - a.bytes).slice(0, 12))
  console.log(
    `  ${`${name} ${version}`.padEnd(44)} ${megabytes(bytes).padStart(6)} MB  ${license}${isOurs ? "" : "  (by another)"}`,
  );
console.log(
  `licences: ${[...licences]
    .sort((a, b) => b[1] - a[1])
    .map(([license, count]) => `${license} ${count}`)
    .join(", ")}`,
);
console.log(`install scripts: ${scripts.length === 0 ? "none" : scripts.map(({ name }) => name).join(", ")}`);
console.log(
  `without a checksum in the lock file: ${installed.filter(([, { integrity }]) => integrity === undefined).length}`,
);
if (flags.sbom !== undefined) {
  const document = execFileSync("npm", ["sbom", "--omit=dev", "--sbom-format", "cyclonedx"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 1 << 26,
  });
  writeFileSync(flags.sbom, document);
  console.log(`${JSON.parse(document).components.length} components in ${flags.sbom}`);
}
