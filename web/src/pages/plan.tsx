/** To come. */
import type { DatasetPageProps } from "./page-props.ts";

export function PlanPage({ dataset }: DatasetPageProps) {
  return <div class="page">{dataset}</div>;
}
