/** What an installation brings along: `npm run supply-chain` prints packages, sizes, licences and install scripts of what is installed without development; `-- --sbom FILE` writes a CycloneDX document; `-- --check` says what SECURITY.md, decision 0003 or the lock file no longer have right. */
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values: flags } = parseArgs({
  options: { sbom: { type: "string" }, check: { type: "boolean" }, root: { type: "string" } },
});
const root = flags.root ?? path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const read = (file) => readFileSync(path.join(root, file), "utf8");

const lock = JSON.parse(read("package-lock.json"));
const { dependencies, devDependencies, overrides } = JSON.parse(read("package.json"));
const locked = Object.entries(lock.packages).filter(([place]) => place !== "");
/** For this platform. */
const installed = locked.filter(([place]) => existsSync(path.join(root, place, "package.json")));

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

/** From the package itself: a lock file says so only if the registry did. A recipe for a compiler is run without being asked for. */
function runsAtInstall(place, { hasInstallScript }) {
  const { scripts = {} } = JSON.parse(read(path.join(place, "package.json")));
  const named = ["preinstall", "install", "postinstall"].some((name) => scripts[name] !== undefined);
  return hasInstallScript === true || named || existsSync(path.join(root, place, "binding.gyp"));
}

const nameOf = (place) => place.replace(/^.*node_modules\//, "");
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
const isForDevelopment = ([, { dev, devOptional }]) => dev === true || devOptional === true;
const [forUse, forDevelopment] = [
  installed.filter((each) => !isForDevelopment(each)),
  installed.filter(isForDevelopment),
];
const scripted = (packages) => packages.filter((each) => runsAtInstall(...each)).map(([place]) => nameOf(place));
const orNone = (names) => (names.length === 0 ? "none" : names.join(", "));
const withoutChecksum = locked.filter(([, { integrity }]) => integrity === undefined).map(([place]) => nameOf(place));

function table() {
  const rows = forUse.map(([place, { version, license }]) => ({
    name: nameOf(place),
    version,
    license: license ?? "not said",
    bytes: bytesIn(path.join(root, place)),
    isOurs: Object.hasOwn(dependencies, nameOf(place)),
  }));
  const total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  const licences = new Map();
  for (const { license } of rows) licences.set(license, (licences.get(license) ?? 0) + 1);
  return [
    `${rows.length} packages, ${megabytes(total)} MB; ${rows.filter(({ isOurs }) => isOurs).length} asked for by name, the others by those`,
    ...rows
      .sort((a, b) => b.bytes - a.bytes)
      .slice(0, 12)
      .map(
        ({ name, version, license, bytes, isOurs }) =>
          `  ${`${name} ${version}`.padEnd(44)} ${megabytes(bytes).padStart(6)} MB  ${license}${isOurs ? "" : "  (by another)"}`,
      ),
    `licences: ${[...licences]
      .sort((a, b) => b[1] - a[1])
      .map(([license, count]) => `${license} ${count}`)
      .join(", ")}`,
    `install scripts: ${orNone(scripted(forUse))}; of ${forDevelopment.length} packages for development: ${orNone(scripted(forDevelopment))}`,
    `without a checksum in the lock file: ${withoutChecksum.length} of ${locked.length}`,
  ].join("\n");
}

/** Everything that is not as it is said to be, a sentence each. */
function problems() {
  const asked = { ...dependencies, ...devDependencies };
  const decision = read("docs/decisions/0003-dependencies.md");
  const justified = new Set([...decision.matchAll(/\*\*([^*\s]+)\*\*/g)].map(([, name]) => name));
  const names = Object.keys(asked);
  const isExact = (version) => /^\d+\.\d+\.\d+([-.][\w.-]+)?$/.test(version);
  return [
    ...names.filter((name) => !justified.has(name)).map((name) => `${name}: decision 0003 does not say why it is here`),
    ...[...justified]
      .filter((name) => !names.includes(name))
      .map((name) => `${name}: decision 0003 names it, package.json does not`),
    ...Object.entries({ ...asked, ...overrides })
      .filter(([, version]) => !isExact(version))
      .map(([name, version]) => `${name}: version ${version} is not exact`),
    ...withoutChecksum.map((name) => `${name}: no checksum in the lock file`),
    ...scripted(installed).map((name) => `${name}: runs something when it is installed`),
    ...installed
      .filter(([place, { version }]) => JSON.parse(read(path.join(place, "package.json"))).version !== version)
      .map(([place]) => `${nameOf(place)}: installed in another version than the lock file's; run npm ci`),
    ...names
      .filter((name) => !installed.some(([place]) => place === `node_modules/${name}`))
      .map((name) => `${name}: not installed; run npm ci`),
    // Other platforms have other binaries.
    ...(isTablesPlatform() && !read("SECURITY.md").includes(`\`\`\`\n${table()}\n\`\`\``)
      ? ["SECURITY.md: its table is not what npm run supply-chain prints; put that in its place"]
      : []),
  ];
}

function isTablesPlatform() {
  return (
    `${process.platform}-${process.arch}` === "linux-x64" &&
    process.report.getReport().header.glibcVersionRuntime !== undefined
  );
}

if (flags.check) {
  const found = problems();
  for (const problem of found) console.error(problem);
  if (found.length === 0) console.log(`${locked.length} packages are as SECURITY.md and decision 0003 say`);
  process.exitCode = found.length === 0 ? 0 : 1;
} else console.log(table());

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
