/** Defines what every page about a dataset is given. */
import type { Session } from "../session.ts";

export interface DatasetPageProps {
  readonly dataset: string;
  readonly session: Session;
  /** Settings in the address; change them with `changeQuery`. */
  readonly query: URLSearchParams;
}
