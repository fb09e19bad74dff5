/** Writes docs/proofs.md: every function whose comment cites docs/mathematics.md, with the first sentence of that comment. `-- --check` compares instead. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const PAGE = "docs/proofs.md";
const MATHEMATICS = "docs/mathematics.md";
/** As in `(docs/mathematics.md, Theorems 1 and 9)` or `(docs/mathematics.md, "The second moment")`. */
const CITATION = /\s*\(docs\/mathematics\.md, ((?:Theorems?|Lemma) \d[\d, and]*|"[^"]+")\)/;
/** Every function that these files export cites its statement, and at least one function of each. */
const COMPLETE =
  /^src\/(core\/(noise|composition|influence\/statistics)\/|publish\/release\/(add-noise|exact-statistics)\.ts|core\/planning\/lattice\.ts)/;

/** The page, and what is wrong with comments; `files` maps paths from the root to texts. */
export function proofsOf(files) {
  const headings = headingsOf(files.get(MATHEMATICS));
  const rows = [];
  const problems = [];
  for (const [file, text] of [...files].sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (!file.endsWith(".ts") || !(COMPLETE.test(file) || text.includes(MATHEMATICS))) continue;
    const before = rows.length;
    for (const { name, comment, isExportedFunction } of declarationsOf(text)) {
      const cited = CITATION.exec(comment)?.[1];
      if (cited === undefined) {
        if (isExportedFunction && COMPLETE.test(file))
          problems.push(`${file}: the comment of ${name} cites no statement of ${MATHEMATICS}`);
        continue;
      }
      const links = statementsIn(cited).map((title) => {
        const heading = headings.find((each) => each === title || each.startsWith(`${title}:`));
        if (heading === undefined) problems.push(`${file}: ${name} cites ${title}, which ${MATHEMATICS} does not have`);
        return `[${title}](mathematics.md#${anchorOf(heading ?? title)})`;
      });
      rows.push(`| \`${name}\` | \`${file}\` | ${firstSentence(comment)} | ${links.join(", ")} |`);
    }
    if (rows.length === before && COMPLETE.test(file) && !file.endsWith("/index.ts"))
      problems.push(`${file}: no comment cites a statement of ${MATHEMATICS}`);
  }
  return { text: pageOf(rows), problems };
}

function pageOf(rows) {
  return `# Proofs beside code

The functions that the promise rests on. The comment over each says exactly what it returns or does, and cites the statement in [the mathematics](mathematics.md) that says why this is right. Whoever changes such a function reads both.

This page is made from the comments by \`npm run proofs\`; \`npm test\` fails when it is not current. No exported function of \`src/core/noise\`, \`src/core/composition\`, \`src/core/influence/statistics\` and the files with the lattice, the exact statistics and the noise of a release may be missing.

| function | file | what it guarantees | why |
|---|---|---|---|
${rows.join("\n")}
`;
}

/** Functions, constants, classes and their methods with a comment, or exported functions without. */
function declarationsOf(text) {
  const source = ts.createSourceFile("module.ts", text, ts.ScriptTarget.Latest, true);
  const commentOf = (node) => {
    const last = ts.getJSDocCommentsAndTags(node).findLast(ts.isJSDoc);
    return last === undefined
      ? ""
      : last
          .getText()
          .slice(3, -2)
          .replace(/\n *\* ?/g, "\n")
          .trim();
  };
  return source.statements.flatMap((node) => {
    const isExported = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
    const comment = commentOf(node);
    if (ts.isFunctionDeclaration(node)) return [{ name: node.name.text, comment, isExportedFunction: isExported }];
    if (ts.isVariableStatement(node))
      return node.declarationList.declarations.map((each) => ({ name: each.name.getText(source), comment }));
    if (!ts.isClassDeclaration(node)) return [];
    const methods = node.members.filter(ts.isMethodDeclaration).map((member) => ({
      name: `${node.name.text}.${member.name.getText(source)}`,
      comment: commentOf(member),
    }));
    return [{ name: node.name.text, comment }, ...methods];
  });
}

function statementsIn(cited) {
  if (cited.startsWith('"')) return [cited.slice(1, -1)];
  const word = cited.startsWith("Lemma") ? "Lemma" : "Theorem";
  return cited.match(/\d+/g).map((number) => `${word} ${number}`);
}

function firstSentence(comment) {
  const [sentence] = comment.replace(CITATION, "").split(/\n\n|(?<=\.)\s+(?=[\p{Lu}`])/u);
  return sentence.replaceAll("\n", " ").replace(/\.?$/, ".").replaceAll("|", "\\|");
}

function headingsOf(markdown) {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading);
}

/** GitHub's anchor of a heading. */
function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** The sources and the mathematics, as `proofsOf` takes them. */
export function readFiles() {
  const sources = readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((name) => `src/${name.replaceAll("\\", "/")}`)
    .filter((name) => /(?<!\.test)\.ts$/.test(name));
  return new Map([...sources, MATHEMATICS].map((file) => [file, readFileSync(path.join(root, file), "utf8")]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { text, problems } = proofsOf(readFiles());
  const page = path.join(root, PAGE);
  if (!process.argv.includes("--check")) writeFileSync(page, text);
  else if (readFileSync(page, "utf8") !== text) problems.push(`${PAGE} is not current; npm run proofs writes it`);
  for (const problem of problems) console.error(`proofs: ${problem}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
