/** Reads the little Markdown that the service writes: headings, paragraphs, lists, tables, emphasis, code. All else is text. */
import { itemAt } from "../../../src/core/errors/index.ts";

export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "strong" | "emphasis"; readonly content: readonly Inline[] };

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly content: readonly Inline[] }
  | { readonly kind: "paragraph"; readonly content: readonly Inline[] }
  | { readonly kind: "list"; readonly ordered: boolean; readonly items: ReadonlyArray<readonly Inline[]> }
  | { readonly kind: "code"; readonly text: string }
  | {
      readonly kind: "table";
      readonly head: ReadonlyArray<readonly Inline[]>;
      readonly rows: ReadonlyArray<ReadonlyArray<readonly Inline[]>>;
    };

const BULLET = /^[-*+] +(.*)$/;
const NUMBERED = /^\d{1,9}[.)] +(.*)$/;
const RULE_OF_TABLE = /^\|?(\s*:?-+:?\s*\|)+\s*(:?-+:?)?\s*$/;

export function parseMarkdown(text: string): Block[] {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const blocks: Block[] = [];
  let at = 0;
  /** Takes lines for as long as they match. */
  const take = <Found>(of: (line: string) => Found | undefined): Found[] => {
    const found: Found[] = [];
    while (at < lines.length) {
      const each = of(itemAt(lines, at));
      if (each === undefined) break;
      found.push(each);
      at += 1;
    }
    return found;
  };
  while (at < lines.length) {
    const line = itemAt(lines, at);
    const heading = /^(#{1,6}) +(.*?) *#*$/.exec(line);
    if (line.trim() === "") at += 1;
    else if (heading !== null) {
      blocks.push({ kind: "heading", level: itemAt(heading, 1).length, content: parseInline(itemAt(heading, 2)) });
      at += 1;
    } else if (line.startsWith("```")) {
      at += 1;
      const code = take((each) => (each.startsWith("```") ? undefined : each));
      at += 1;
      blocks.push({ kind: "code", text: code.join("\n") });
    } else if (BULLET.test(line) || NUMBERED.test(line)) {
      const form = BULLET.test(line) ? BULLET : NUMBERED;
      const items = take((each) => form.exec(each)?.[1]).map(parseInline);
      blocks.push({ kind: "list", ordered: form === NUMBERED, items });
    } else if (line.startsWith("|") && RULE_OF_TABLE.test(lines[at + 1] ?? "")) {
      const [head, , ...rows] = take((each) => (each.startsWith("|") ? cellsOf(each) : undefined));
      blocks.push({
        kind: "table",
        head: (head ?? []).map(parseInline),
        rows: rows.map((row) => row.map(parseInline)),
      });
    } else {
      const isText = (each: string): boolean =>
        each.trim() !== "" && !/^(#{1,6} |```)/.test(each) && !BULLET.test(each) && !NUMBERED.test(each);
      const more = lines.slice(at + 1);
      const end = more.findIndex((each) => !isText(each));
      const own = [line, ...more.slice(0, end < 0 ? more.length : end)];
      at += own.length;
      blocks.push({ kind: "paragraph", content: parseInline(own.join(" ")) });
    }
  }
  return blocks;
}

/** Between bars that are not escaped. */
function cellsOf(line: string): string[] {
  const cells = line
    .trim()
    .replace(/^\|/, "")
    .split(/(?<!\\)\|/);
  return (cells.at(-1)?.trim() === "" ? cells.slice(0, -1) : cells).map((cell) => cell.trim());
}

const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"' };
const MARKS =
  /\\([!-/:-@[-`{-~])|(&(?:lt|gt|amp|quot);)|`([^`]+)`|\*\*((?:\\.|[^\\])+?)\*\*(?!\*)|\*((?:\\.|[^*\\\s])(?:\\.|[^*\\])*)\*/g;

export function parseInline(text: string): Inline[] {
  const found: Inline[] = [];
  const say = (more: string): void => {
    const last = found.at(-1);
    if (more === "") return;
    if (last?.kind === "text") found[found.length - 1] = { kind: "text", text: last.text + more };
    else found.push({ kind: "text", text: more });
  };
  let after = 0;
  for (const match of text.matchAll(MARKS)) {
    const [whole, escaped, entity, code, strong, emphasis] = match;
    say(text.slice(after, match.index));
    after = match.index + whole.length;
    if (escaped !== undefined) say(escaped);
    else if (entity !== undefined) say(ENTITIES[entity] ?? "");
    else if (code !== undefined) found.push({ kind: "code", text: code });
    else if (strong !== undefined) found.push({ kind: "strong", content: parseInline(strong) });
    else found.push({ kind: "emphasis", content: parseInline(emphasis!) });
  }
  say(text.slice(after));
  return found;
}
