/** Holds docs/proofs.md to the code: `npm run proofs` tells which functions changed since their statements were last read; `-- --renew` writes the hashes of today. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const PAGE = "docs/proofs.md";
const ROW = /^\| `([\w.#]+)` \| `([\w./-]+)` \| \[[^\]]+\]\(([\w.-]+)#([\w-]+)\) \| `(\w+)` \|$/;
/** Of these rooms every function, and of these files too, is in the table. */
const WHOLE_ROOMS = ["src/core/noise", "src/core/composition", "src/core/influence/statistics"];
const WHOLE_FILES = [
  "src/publish/ledger/reserve.ts",
  "src/publish/ledger/commit.ts",
  "src/publish/ledger/give-up.ts",
  "src/publish/release/add-noise.ts",
  "src/publish/release/exact-statistics.ts",
  "src/core/planning/input-lattice.ts",
  "src/core/planning/lattice.ts",
];

/** The rows of the table: function, file, page, anchor, hash. */
export function rowsOf(text) {
  return text.split("\n").flatMap((line, index) => {
    const match = ROW.exec(line);
    if (match === null) return [];
    const [, name, file, page, anchor, hash] = match;
    return [{ line: index, name, file, page, anchor, hash }];
  });
}

/** Top-level functions, classes and constants of a module, and `Class.method`, each with its node. */
function declarationsOf(text) {
  const source = ts.createSourceFile("module.ts", text, ts.ScriptTarget.Latest, true);
  const found = new Map();
  for (const statement of source.statements) {
    if (ts.isFunctionDeclaration(statement)) found.set(statement.name.text, statement);
    if (ts.isVariableStatement(statement))
      for (const each of statement.declarationList.declarations) found.set(each.name.getText(source), each);
    if (!ts.isClassDeclaration(statement)) continue;
    found.set(statement.name.text, statement);
    for (const member of statement.members)
      if (ts.isMethodDeclaration(member)) found.set(`${statement.name.text}.${member.name.getText(source)}`, member);
  }
  return found;
}

/** Of the tokens alone: neither spaces nor comments count. */
function hashOf(node) {
  const tokens = [];
  const visit = (each) => {
    if (each.kind >= ts.SyntaxKind.FirstJSDocNode && each.kind <= ts.SyntaxKind.LastJSDocNode) return;
    const children = each.getChildren();
    if (children.length === 0) tokens.push(each.getText());
    else children.forEach(visit);
  };
  visit(node);
  return createHash("sha256")
    .update(tokens.filter((token) => token !== "").join(" "))
    .digest("hex")
    .slice(0, 16);
}

/** GitHub's anchor of a heading. */
function anchorsOf(markdown) {
  return new Set(
    [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** What is wrong with the table, in words; `read` gives a file's text by its path. */
export function troubles(read) {
  const found = [];
  const rows = rowsOf(read(PAGE));
  const declared = new Map();
  for (const { name, file, page, anchor, hash } of rows) {
    if (!anchorsOf(read(`docs/${page}`)).has(anchor)) found.push(`${PAGE}: ${page} has no heading #${anchor}`);
    if (!declared.has(file)) declared.set(file, declarationsOf(read(file)));
    const node = declared.get(file).get(name);
    if (node === undefined) found.push(`${PAGE}: ${file} has no function ${name}`);
    else if (hashOf(node) !== hash)
      found.push(
        `${file}: ${name} is not the text that was held against ${page}#${anchor}; read it, then npm run proofs -- --renew`,
      );
  }
  for (const file of wholeFiles()) {
    const named = new Set(rows.filter((row) => row.file === file).map((row) => row.name));
    for (const [name, node] of declarationsOf(read(file)))
      if ((ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) && !named.has(name))
        found.push(`${PAGE}: ${name} of ${file} is missing`);
  }
  return found;
}

function wholeFiles() {
  const inRooms = WHOLE_ROOMS.flatMap((room) =>
    readdirSync(path.join(root, room))
      .filter((name) => /(?<!\.test)\.ts$/.test(name) && name !== "index.ts")
      .map((name) => `${room}/${name}`),
  );
  return [...inRooms, ...WHOLE_FILES];
}

const readHere = (file) => readFileSync(path.join(root, file), "utf8");

function renew() {
  const lines = readHere(PAGE).split("\n");
  for (const { line, name, file } of rowsOf(lines.join("\n"))) {
    const node = declarationsOf(readHere(file)).get(name);
    if (node !== undefined) lines[line] = lines[line].replace(/`\w+` \|$/, `\`${hashOf(node)}\` |`);
  }
  writeFileSync(path.join(root, PAGE), lines.join("\n"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes("--renew")) renew();
  const found = troubles(readHere);
  for (const trouble of found) console.error(`proofs: ${trouble}`);
  if (found.length === 0)
    console.log(
      `proofs: ${rowsOf(readHere(PAGE)).length} functions are the texts that were held against their statements`,
    );
  process.exitCode = found.length === 0 ? 0 : 1;
}
