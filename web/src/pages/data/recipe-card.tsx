/** Lists how records become grids, and which statistics are wanted. */
import { Card } from "../../parts/card.tsx";
import type { Service } from "../../session.ts";
import { recipeFacts } from "./recipe-facts.ts";

export type ShownDataset = Awaited<ReturnType<Service["getDataset"]>>;

export function RecipeCard({ about }: { about: ShownDataset | undefined }) {
  return (
    <Card title="How it was counted">
      <dl class="facts">
        {(about === undefined ? [] : recipeFacts(about)).map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
