/** The walls of the house, read from syntax trees: which room may import which, what browser-safe code may touch, how a file opens. */
import path from "node:path";
import ts from "typescript";

/** The wings of `src` and their rooms. A room may import the rooms before it, never those after it. */
const WINGS = {
  core: ["errors", "arithmetic", "options", "occupancy", "influence", "smoothing", "composition", "planning", "noise"],
  data: ["partition", "sources", "engines"],
  publish: ["ledger", "release", "charts", "report"],
  evidence: ["simulation", "experiments", "audit"],
  apps: ["operations", "client", "service", "cli"],
};
const ROOMS = Object.values(WINGS).flat();
/** `src/core/planning` of `planning`. */
const FOLDERS = new Map(
  Object.entries(WINGS).flatMap(([wing, rooms]) => rooms.map((room) => [room, `src/${wing}/${room}`] as const)),
);

const PURE_ROOMS = new Set(ROOMS.slice(0, ROOMS.indexOf("planning") + 1));
const BROWSER_SAFE_ROOMS = new Set([...PURE_ROOMS, "charts", "simulation", "client"]);
/** Names things; decides nothing. */
const HASH = "@noble/hashes";
/** What the promise rests on is ours alone: no package can change it. */
const UNAIDED_ROOMS = new Set(["arithmetic", "occupancy", "influence", "composition", "noise"]);
/** Rooms that are programs rather than a library. */
const PROGRAM_ROOMS = new Set(["cli", "service"]);

/** What others import; each only hands on what rooms have. */
const ENTRIES = new Set(["index", "planning", "engines", "ledger", "errors"].map((name) => `src/${name}.ts`));

const NODE_GLOBALS = new Set(["process", "Buffer", "require", "module", "__dirname", "__filename", "global", "NodeJS"]);
const CLOCKS_AND_CHANCE = new Set(["Date", "performance", "crypto"]);

export interface Packages {
  /** What the published package depends on. */
  readonly dependencies: ReadonlySet<string>;
  /** What tests may use besides. */
  readonly devDependencies: ReadonlySet<string>;
}

/** Every breach in `files` (path from the project's root → text), one line each; empty if the walls hold. */
export function breaches(files: ReadonlyMap<string, string>, packages: Packages): string[] {
  const found: string[] = [];
  const importsOf = new Map<string, string[]>();
  for (const [file, text] of files) {
    const report = (what: string): void => void found.push(`${file}: ${what}`);
    const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    checkOpening(text, report);
    const isProduct = file.startsWith("src/") || isWeb(file);
    const imports = specifiers(tree, isProduct ? report : () => undefined);
    checkLaboratory(file, imports, report);
    if (!isProduct) continue;
    if (!isWeb(file)) checkPlace(file, report);
    checkSyntax(file, tree, report);
    for (const specifier of imports) {
      if (isWeb(file)) checkWebImport(file, specifier, { files, packages, report });
      else checkImport(file, specifier, { files, packages, report });
    }
    importsOf.set(
      file,
      imports.filter((specifier) => specifier.startsWith(".")).map((specifier) => resolve(file, specifier)),
    );
  }
  return [...found, ...cycles(importsOf)];
}

type Report = (what: string) => void;

function isTest(file: string): boolean {
  return file.endsWith(".test.ts");
}

/** The dashboard, beside the house. */
function isWeb(file: string): boolean {
  return file.startsWith("web/src/");
}

/** undefined for the entries. */
function roomOf(file: string): string | undefined {
  const parts = file.split("/");
  return parts.length > 2 ? (parts[2] ?? "") : undefined;
}

function resolve(file: string, specifier: string): string {
  return path.posix.join(path.posix.dirname(file), specifier);
}

/** A file opens with a comment that says, in a sentence, what it is for. */
function checkOpening(text: string, report: Report): void {
  const start = (ts.getShebang(text) ?? "").length;
  const comment = ts.getLeadingCommentRanges(text, start)?.[0];
  const words =
    comment === undefined || text.slice(start, comment.pos).trim() !== ""
      ? ""
      : text
          .slice(comment.pos, comment.end)
          .replace(/^\/\*\*?|\*\/$|^\/\/|^\s*\*/gm, "")
          .trim();
  if (!/^[^@\s].*\s.*[.!?]($|\s)/s.test(words) || /^(biome|eslint)-/.test(words)) {
    report("does not open with a sentence on what it is for");
  }
}

/** `lab/` may import the product; nothing else imports `lab/`. */
function checkLaboratory(file: string, imports: readonly string[], report: Report): void {
  if (file.startsWith("lab/")) return;
  for (const specifier of imports)
    if (specifier.startsWith(".") && resolve(file, specifier).startsWith("lab/"))
      report(`imports ${specifier}, but the laboratory is not the product`);
}

function checkPlace(file: string, report: Report): void {
  const room = roomOf(file);
  if (room === undefined && !ENTRIES.has(file)) report("lives outside the rooms; only the package's entries do");
  const folder = room === undefined ? undefined : FOLDERS.get(room);
  if (room !== undefined && (folder === undefined || !file.startsWith(`${folder}/`)))
    report(`'${path.posix.dirname(file)}' is no room of the house`);
}

function checkImport(file: string, specifier: string, { files, packages, report }: Surroundings): void {
  const room = roomOf(file);
  if (specifier.startsWith("node:")) {
    if (room !== undefined && BROWSER_SAFE_ROOMS.has(room) && !isTest(file))
      report(`imports ${specifier}, but ${room} runs in a browser`);
    return;
  }
  if (!specifier.startsWith(".")) {
    const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
    const known = packages.dependencies.has(name) || (isTest(file) && packages.devDependencies.has(name));
    if (!known) report(`imports ${specifier}, which is no dependency of the package`);
    if (room !== undefined && UNAIDED_ROOMS.has(room) && !isTest(file) && name !== HASH)
      report(`imports ${specifier}, but ${room} has nobody else's code`);
    return;
  }
  const target = resolve(file, specifier);
  if (isTest(file) && target.startsWith("test/support/")) return;
  if (!target.startsWith("src/")) report(`imports ${specifier}, which lies outside src`);
  else if (!files.has(target)) report(`imports ${specifier}, which is no file of src`);
  else if (roomOf(target) !== room) checkDoor(file, target, report);
}

interface Surroundings {
  readonly files: ReadonlyMap<string, string>;
  readonly packages: Packages;
  readonly report: Report;
}

/** The dashboard may use itself, the browser-safe rooms by their doors, pictures and figures, and what is bundled with it. */
function checkWebImport(file: string, specifier: string, { files, packages, report }: Surroundings): void {
  if (!specifier.startsWith(".")) {
    const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
    const isKnown = packages.devDependencies.has(name) || (isTest(file) && packages.dependencies.has(name));
    if (specifier.startsWith("node:") && !isTest(file))
      report(`imports ${specifier}, but the dashboard runs in a browser`);
    else if (!specifier.startsWith("node:") && !isKnown)
      report(`imports ${specifier}, which is not bundled: no development dependency`);
    return;
  }
  const target = resolve(file, specifier.replace(/\?.*$/, ""));
  if (isTest(file) && target.startsWith("test/support/")) return;
  if (isWeb(target)) {
    if (/\.tsx?$/.test(target) && !files.has(target)) report(`imports ${specifier}, which is no file of the dashboard`);
    return;
  }
  if (target.startsWith("docs/figures/")) return;
  const room = target.startsWith("src/") ? roomOf(target) : undefined;
  if (room === undefined || !BROWSER_SAFE_ROOMS.has(room)) report(`imports ${specifier}, which is not for browsers`);
  else if (target !== `${FOLDERS.get(room)}/index.ts`)
    report(`enters ${room} by ${path.posix.basename(target)}; rooms are entered through their index.ts`);
}

/** From one room, or from outside the rooms, into another. */
function checkDoor(file: string, target: string, report: Report): void {
  const room = roomOf(file);
  const entered = roomOf(target);
  if (entered === undefined) {
    report(`imports ${target}, a way in for others`);
    return;
  }
  if (target !== `${FOLDERS.get(entered)}/index.ts`)
    report(`enters ${entered} by ${path.posix.basename(target)}; rooms are entered through their index.ts`);
  if (room === undefined) {
    if (PROGRAM_ROOMS.has(entered)) report(`imports ${entered}, which is a program`);
  } else if (ROOMS.indexOf(entered) > ROOMS.indexOf(room)) {
    report(`imports ${entered}, a room below ${room}`);
  }
}

/** Whatever is imported or re-exported, types and dynamic imports too. */
function specifiers(tree: ts.SourceFile, report: Report): string[] {
  const found: string[] = [];
  const take = (specifier: ts.Node | undefined): void => {
    if (specifier === undefined) return;
    const literal = ts.isLiteralTypeNode(specifier) ? specifier.literal : specifier;
    if (ts.isStringLiteralLike(literal)) found.push(literal.text);
    else report("imports a computed name, which nobody can check");
  };
  visit(tree, (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) take(node.moduleSpecifier);
    else if (ts.isImportTypeNode(node)) take(node.argument);
    else if (ts.isExternalModuleReference(node)) take(node.expression);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) take(node.arguments[0]);
  });
  return found;
}

function checkSyntax(file: string, tree: ts.SourceFile, report: Report): void {
  const room = roomOf(file);
  const isIn = (rooms: ReadonlySet<string>): boolean => room !== undefined && !isWeb(file) && rooms.has(room);
  const browserSafe = (isWeb(file) || isIn(BROWSER_SAFE_ROOMS)) && !isTest(file);
  const pure = isIn(PURE_ROOMS) && !isTest(file);
  visit(tree, (node) => {
    if (isDefaultExport(node)) report("has a default export");
    if (isMathRandom(node)) report("uses Math.random");
    const name = globalName(node);
    if (name === undefined) return;
    if (browserSafe && NODE_GLOBALS.has(name))
      report(`uses ${name}, but ${isWeb(file) ? "the dashboard" : room} runs in a browser`);
    if (pure && CLOCKS_AND_CHANCE.has(name)) report(`uses ${name}, but ${room} has neither clock nor chance`);
  });
}

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return true;
  if (ts.isExportSpecifier(node)) return node.name.text === "default";
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some((each) => each.kind === ts.SyntaxKind.DefaultKeyword)
  );
}

/** `Math.random`, `Math["random"]` or `{ random } = Math`. */
function isMathRandom(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return isNamed(node.expression, "Math") && node.name.text === "random";
  if (ts.isElementAccessExpression(node)) return isNamed(node.expression, "Math");
  return ts.isVariableDeclaration(node) && isNamed(node.initializer, "Math");
}

function isNamed(node: ts.Node | undefined, name: string): boolean {
  return node !== undefined && ts.isIdentifier(node) && node.text === name;
}

/** The name if the node is an identifier that stands for itself, or a property of globalThis. */
function globalName(node: ts.Node): string | undefined {
  if (!ts.isIdentifier(node)) return undefined;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node)
    return isNamed(parent.expression, "globalThis") ? node.text : undefined;
  // declare global { … }
  if (ts.isModuleDeclaration(parent)) return undefined;
  const isLabel =
    (ts.isPropertyAssignment(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isPropertyDeclaration(parent) ||
      ts.isMethodDeclaration(parent) ||
      ts.isMethodSignature(parent)) &&
    parent.name === node;
  return isLabel ? undefined : node.text;
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

/** One line per cycle, found depth first. */
function cycles(importsOf: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const finished = new Set<string>();
  const trail: string[] = [];
  const walk = (file: string): void => {
    const seen = trail.indexOf(file);
    if (seen >= 0) found.push(`${file}: imports itself by way of ${[...trail.slice(seen + 1), file].join(", ")}`);
    if (seen >= 0 || finished.has(file)) return;
    trail.push(file);
    for (const next of importsOf.get(file) ?? []) walk(next);
    trail.pop();
    finished.add(file);
  };
  for (const file of importsOf.keys()) walk(file);
  return found;
}
