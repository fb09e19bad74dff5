/** Shows Markdown of the service as elements: nothing of it is ever taken as markup. */
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { type Block, type Inline, parseMarkdown } from "./markdown.ts";

export interface StatementProps {
  readonly markdown: string;
  /** The page's headings go on where it stands: a title becomes an h3 under a card's h2. */
  readonly below?: number | undefined;
}

export function Statement({ markdown, below = 2 }: StatementProps) {
  const blocks = useMemo(() => parseMarkdown(markdown), [markdown]);
  return (
    <div class="statement">
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} below={below} />
      ))}
    </div>
  );
}

function BlockView({ block, below }: { block: Block; below: number }) {
  switch (block.kind) {
    case "heading": {
      const Heading = `h${Math.min(6, block.level + below)}` as "h3";
      return <Heading>{inlines(block.content)}</Heading>;
    }
    case "paragraph":
      return <p>{inlines(block.content)}</p>;
    case "code":
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      );
    case "list": {
      const items = block.items.map((item, index) => <li key={index}>{inlines(item)}</li>);
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case "table":
      return <TableView table={block} />;
  }
}

function TableView({ table: { head, rows } }: { table: Extract<Block, { kind: "table" }> }) {
  const isHeaded = head.some((cell) => cell.length > 0);
  return (
    <div class="statement-table">
      <table>
        {isHeaded ? (
          <thead>
            <tr>
              {head.map((cell, index) => (
                <th key={index} scope="col">
                  {inlines(cell)}
                </th>
              ))}
            </tr>
          </thead>
        ) : null}
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) =>
                column === 0 ? (
                  <th key={column} scope="row">
                    {inlines(cell)}
                  </th>
                ) : (
                  <td key={column}>{inlines(cell)}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inlines(content: readonly Inline[]): ComponentChildren {
  return content.map((each, index) => {
    if (each.kind === "text") return each.text;
    if (each.kind === "code") return <code key={index}>{each.text}</code>;
    return each.kind === "strong" ? (
      <strong key={index}>{inlines(each.content)}</strong>
    ) : (
      <em key={index}>{inlines(each.content)}</em>
    );
  });
}
