/** Shows a part of a page with a heading. */
import type { ComponentChildren } from "preact";

export interface CardProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  /** Beside the heading: switches, links. */
  readonly tools?: ComponentChildren;
  readonly class?: string | undefined;
  readonly id?: string | undefined;
  readonly children?: ComponentChildren;
}

export function Card({ title, lead, tools, class: extra, id, children }: CardProps) {
  return (
    <section class={extra === undefined ? "card" : `card ${extra}`} id={id} aria-label={title}>
      <header class="card-head">
        <h2>{title}</h2>
        {tools === undefined ? null : <div class="tools">{tools}</div>}
      </header>
      {lead === undefined ? null : <p class="lead">{lead}</p>}
      {children}
    </section>
  );
}
