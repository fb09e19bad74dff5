/** To come. */
import type { DatasetPageProps } from "./page-props.ts";

export function PublishedPage({ dataset }: DatasetPageProps) {
  return <div class="page">{dataset}</div>;
}
