/** The parts of a running service, its limits, and the lines of its log. */
import type { Ledger } from "../../publish/ledger/index.ts";
import type { Dashboard } from "./dashboard.ts";
import type { DataFolders } from "./data-folders.ts";
import type { FirstLooks } from "./first-looks.ts";
import type { GridAnswers } from "./grid-answers.ts";
import type { JobRunner } from "./jobs.ts";
import type { ServiceStore } from "./store.ts";
import type { Uploads } from "./uploads.ts";

export const USUAL_LIMITS = {
  /** Of a request's body. */
  bodyBytes: 64 * 1024,
  /** Of a file that is sent. */
  uploadBytes: 4 * 2 ** 30,
  /** With one token; from one address without. */
  requestsPerMinute: 1200,
  anonymousPerMinute: 120,
};
export type ServiceLimits = Readonly<typeof USUAL_LIMITS>;

/** One line of the log: never a value, a token, a body or a query. */
export interface LogLine {
  readonly time: string;
  readonly level: "info" | "warn" | "error";
  readonly event: string;
  readonly [field: string]: string | number | boolean | null;
}

export interface ServiceParts {
  readonly store: ServiceStore;
  readonly ledger: Ledger;
  /** The ledger's file, or the address of the database that other nodes share. */
  readonly ledgerPlace: string;
  /** Holds the head of the ledger's journal, as far as this service has seen it. */
  readonly ledgerHeadFile: string;
  readonly folders: DataFolders;
  readonly uploads: Uploads;
  readonly looks: FirstLooks;
  readonly jobs: JobRunner;
  readonly answers: GridAnswers;
  /** undefined where none was built. */
  readonly dashboard: Dashboard | undefined;
  readonly limits: ServiceLimits;
  readonly log: (line: LogLine) => void;
  readonly now: () => Date;
  /** The program and its version: `veilgrid 0.1.0`. */
  readonly tool: string;
  /** Behind a proxy that sets X-Forwarded-For. */
  readonly trustProxy: boolean;
}
