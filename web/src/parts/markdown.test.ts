/** Tests the reader of Markdown on what the service writes, and on hostile text. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Inline, parseInline, parseMarkdown } from "./markdown.ts";

const text = (content: string): Inline => ({ kind: "text", text: content });

test("headings, paragraphs, lists and tables are told apart", () => {
  const blocks = parseMarkdown(
    "# A statement\n\nOne line\nand another.\n\n- first\n- second\n\n1. one\n2. two\n\n| a | b |\n| --- | --- |\n| 1 \\| 2 | |\n\n```\ncode *as is*\n```\n",
  );
  expect(blocks).toEqual([
    { kind: "heading", level: 1, content: [text("A statement")] },
    { kind: "paragraph", content: [text("One line and another.")] },
    { kind: "list", ordered: false, items: [[text("first")], [text("second")]] },
    { kind: "list", ordered: true, items: [[text("one")], [text("two")]] },
    { kind: "table", head: [[text("a")], [text("b")]], rows: [[[text("1 | 2")], []]] },
    { kind: "code", text: "code *as is*" },
  ]);
});

test("emphasis and code nest as written, escapes and entities are what they stand for", () => {
  expect(parseInline("**NOT *at all* private** `a*b` vehicle\\_id &lt;b&gt; 3 * 4")).toEqual([
    { kind: "strong", content: [text("NOT "), { kind: "emphasis", content: [text("at all")] }, text(" private")] },
    text(" "),
    { kind: "code", text: "a*b" },
    text(" vehicle_id <b> 3 * 4"),
  ]);
  expect(parseInline("a table without head")).toEqual([text("a table without head")]);
});

test("markup, links and images stay text", () => {
  for (const hostile of ["<img src=x onerror=alert(1)>", "[here](javascript:alert(1))", "![x](http://elsewhere/)"])
    expect(parseMarkdown(hostile)).toEqual([{ kind: "paragraph", content: [text(hostile)] }]);
});

test("any text is read to its end", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("#", "|", "-", " ", "\n", "*", "`", "\\", "a", "1.", "```", "&lt;")),
      (parts) => {
        expect(Array.isArray(parseMarkdown(parts.join("")))).toBe(true);
      },
    ),
  );
});
