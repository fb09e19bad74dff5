/** Shows a few large numbers with their names. */
import type { ComponentChildren } from "preact";

export interface FigureFact {
  readonly name: string;
  readonly value: ComponentChildren;
  readonly note?: ComponentChildren;
  readonly tone?: "good" | "weak" | undefined;
}

export function Figures({ facts }: { facts: readonly FigureFact[] }) {
  return (
    <dl class="figures">
      {facts.map(({ name, value, note, tone }) => (
        <div key={name} class={tone}>
          <dt>{name}</dt>
          <dd>
            {value}
            {note === undefined ? null : <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
