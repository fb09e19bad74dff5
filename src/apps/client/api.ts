/** Every route of the service, typed; made by scripts/generate-client.mjs, not by hand. */

export interface Api {
  /** Ask for a grid: the first question releases and charges it, every later one gets the same answer. */
  askGrid(given: {
    readonly params: { readonly dataset: string; readonly grid: string };
    readonly query?: { readonly confidence?: string | undefined } | undefined;
    readonly signal?: AbortSignal | undefined;
  }): Promise<Released>;
  /** Cancel a job that waits or runs. A release that was charged is finished by the same request again. */
  cancelJob(given: {
    readonly params: { readonly job: string };
    readonly signal?: AbortSignal | undefined;
  }): Promise<Job>;
  /** Choose the plan that analysts' questions are answered under, and whether only what is released is given out. */
  changeDataset(given: {
    readonly params: { readonly dataset: string };
    readonly body: { plan?: string | undefined; key?: string | undefined; onlyReleased?: boolean | undefined };
    readonly signal?: AbortSignal | undefined;
  }): Promise<Dataset>;
  /** Server-sent events: state and progress until the job ends. */
  followJob(given: {
    readonly params: { readonly job: string };
    readonly signal?: AbortSignal | undefined;
  }): Promise<string>;
  /** This description, for people. */
  getApiPage(given?: { readonly signal?: AbortSignal | undefined }): Promise<string>;
  /** The dashboard, for people. */
  getDashboard(given?: { readonly signal?: AbortSignal | undefined }): Promise<string>;
  /** One dataset. */
  getDataset(given: {
    readonly params: { readonly dataset: string };
    readonly signal?: AbortSignal | undefined;
  }): Promise<Dataset>;
  /** What the columns mean. */
  getDictionary(given: {
    readonly params: { readonly dataset: string };
    readonly signal?: AbortSignal | undefined;
  }): Promise<string>;
  /** A grid that is released. Never spends anything. */
  getGrid(given: {
    readonly params: { readonly dataset: string; readonly grid: string };
    readonly query?: { readonly confidence?: string | undefined } | undefined;
    readonly signal?: AbortSignal | undefined;
  }): Promise<Released>;
  /** The process answers. */
  getHealth(given?: { readonly signal?: AbortSignal | undefined }): Promise<{ status: string }>;
  /** One job, with its result once it is done. */
  getJob(given: { readonly params: { readonly job: string }; readonly signal?: AbortSignal | undefined }): Promise<Job>;
  /** Budget, what was spent by whom, releases and the audit trail. */
  getLedger(given: {
    readonly params: { readonly dataset: string };
    readonly signal?: AbortSignal | undefined;
  }): Promise<Standing>;
  /** What the token is good for. */
  getMe(given?: {
    readonly signal?: AbortSignal | undefined;
  }): Promise<{ role: "curator" | "analyst"; datasets: Array<string> | null }>;
  /** Counters and answer times, as Prometheus reads them. */
  getMetrics(given?: { readonly signal?: AbortSignal | undefined }): Promise<string>;
  /** Records per user and grid as the last survey counted them, users as numbers in the order of their names. */
  getOccupancy(given: {
    readonly params: { readonly dataset: string };
    readonly signal?: AbortSignal | undefined;
  }): Promise<string>;
  /** This description, for programs. */
  getOpenApi(given?: { readonly signal?: AbortSignal | undefined }): Promise<unknown>;
  /** One plan with its summary. */
  getPlan(given: {
    readonly params: { readonly dataset: string; readonly plan: string };
    readonly signal?: AbortSignal | undefined;
  }): Promise<PlanEntry>;
  /** The ledger and the service's own file can be read. */
  getReady(given?: { readonly signal?: AbortSignal | undefined }): Promise<{ status: string }>;
  /** All released grids as CSV, JSON, GeoJSON or a report. */
  getResults(given: {
    readonly params: { readonly dataset: string };
    readonly query?:
      | { readonly confidence?: string | undefined; readonly format?: "csv" | "json" | "geojson" | "html" | undefined }
      | undefined;
    readonly signal?: AbortSignal | undefined;
  }): Promise<Released | ReleasedGeoJson | string>;
  /** The privacy statement: what is protected, what is not, and the loss in words. */
  getStatement(given: {
    readonly params: { readonly dataset: string };
    readonly signal?: AbortSignal | undefined;
  }): Promise<string>;
  /** The datasets that the token is made for. */
  listDatasets(given?: { readonly signal?: AbortSignal | undefined }): Promise<{ datasets: Array<Dataset> }>;
  /** The grids that can be asked for, and which are released. */
  listGrids(given: {
    readonly params: { readonly dataset: string };
    readonly signal?: AbortSignal | undefined;
  }): Promise<{ grids: Array<{ grid: string; released: boolean }> }>;
  /** Jobs of the datasets that the token is made for, newest first, without their results. */
  listJobs(given?: { readonly signal?: AbortSignal | undefined }): Promise<{ jobs: Array<Job> }>;
  /** The plans of a dataset, newest first. */
  listPlans(given: {
    readonly params: { readonly dataset: string };
    readonly signal?: AbortSignal | undefined;
  }): Promise<{ plans: Array<PlanEntry> }>;
  /** Datasets with a plan, and how much of each is released. */
  listPublished(given?: { readonly signal?: AbortSignal | undefined }): Promise<{ datasets: Array<PublishedDataset> }>;
  /** What a file's columns are and could be for: guesses to begin with, and no value. */
  lookAtSource(given: {
    readonly body: { source: string; delimiter?: string | undefined; header?: "yes" | "no" | undefined };
    readonly signal?: AbortSignal | undefined;
  }): Promise<Look>;
  /** Raise the budget, and record why. */
  raiseBudget(given: {
    readonly params: { readonly dataset: string };
    readonly body: { budget: string; reason: string };
    readonly signal?: AbortSignal | undefined;
  }): Promise<Standing>;
  /** Exchange a one-time code for a token that lasts a day. */
  redeemCode(given: {
    readonly body: { code: string };
    readonly signal?: AbortSignal | undefined;
  }): Promise<{ token: string; role: "curator" | "analyst"; datasets: Array<string> | null; expires: string | null }>;
  /** Register a source of records with its recipe, bounds and budget. */
  registerDataset(given: {
    readonly body: {
      name: string;
      source: string;
      recipe: Recipe;
      bounds: string;
      statistics?: string | undefined;
      unit?: string | undefined;
      budget: string;
      occupancyIsPublic: true;
      onlyReleased?: boolean | undefined;
    };
    readonly signal?: AbortSignal | undefined;
  }): Promise<Dataset>;
  /** Hold strategies, estimators, hexagon sizes and slots against each other; spends nothing. */
  startComparison(given: {
    readonly params: { readonly dataset: string };
    readonly body: {
      loss?: string | undefined;
      error?: string | undefined;
      epsilon?: string | undefined;
      strategies?: string | undefined;
      estimator?: string | undefined;
      statistics?: string | undefined;
      metric?: string | undefined;
      timeLimit?: string | undefined;
      seed?: string | undefined;
      h3?: string | undefined;
      slot?: string | undefined;
    };
    readonly signal?: AbortSignal | undefined;
  }): Promise<Job>;
  /** Choose what to keep and how much noise to add, from counts alone; spends nothing. */
  startPlan(given: {
    readonly params: { readonly dataset: string };
    readonly body: {
      unit?: string | undefined;
      title?: string | undefined;
      description?: string | undefined;
      loss?: string | undefined;
      error?: string | undefined;
      epsilon?: string | undefined;
      strategy?: string | undefined;
      spread?: string | undefined;
      aim?: string | undefined;
      guarantee?: string | undefined;
      passes?: string | undefined;
      estimator?: string | undefined;
      timeLimit?: string | undefined;
      statistics?: string | undefined;
      weights?: string | undefined;
      split?: string | undefined;
      metric?: string | undefined;
      errorBound?: string | undefined;
      protectLowest?: boolean | undefined;
      wholeStages?: boolean | undefined;
      caps?: boolean | undefined;
      step?: string | undefined;
      keep?: string | undefined;
    };
    readonly signal?: AbortSignal | undefined;
  }): Promise<Job>;
  /** Charge the ledger and release every grid of a plan; the same key again gives the same bytes. */
  startRelease(given: {
    readonly params: { readonly dataset: string };
    readonly body: {
      plan?: string | undefined;
      key?: string | undefined;
      unit?: string | undefined;
      title?: string | undefined;
      description?: string | undefined;
    };
    readonly signal?: AbortSignal | undefined;
  }): Promise<Job>;
  /** Count records per user and grid, and summarise the counts. */
  startSurvey(given: {
    readonly params: { readonly dataset: string };
    readonly body: Record<string, never>;
    readonly signal?: AbortSignal | undefined;
  }): Promise<Job>;
  /** Send a file of records; a dataset can be registered with the source that is answered. Unused, it is kept for a day or more. */
  uploadFile(given: {
    readonly query: { readonly name: string };
    readonly body: Blob | ArrayBuffer | Uint8Array;
    readonly signal?: AbortSignal | undefined;
  }): Promise<{ source: string; bytes: number }>;
  /** Work out every balance again from the journal. */
  verifyLedger(given?: { readonly signal?: AbortSignal | undefined }): Promise<Verification>;
  /** Give up what was charged under a key and never committed, and refund it. */
  voidRelease(given: {
    readonly params: { readonly dataset: string };
    readonly body: { key: string };
    readonly signal?: AbortSignal | undefined;
  }): Promise<{ parts: Array<string>; kept: Array<string> }>;
}

export type Dataset = {
  name: string;
  source: string;
  recipe: Recipe;
  bounds: string;
  statistics: string | null;
  unit: string | null;
  plan: string | null;
  key: string | null;
  onlyReleased: boolean;
  created: string;
  surveyed: string | null;
  counted: {
    records: number;
    repeated: number;
    missing: number;
    withoutUser: number;
    withoutGrid: number;
    inOtherGrids: number;
  } | null;
  warnings: Array<string>;
};

export type Job = {
  id: string;
  kind: "survey" | "plan" | "compare" | "release";
  dataset: string;
  state: "queued" | "running" | "done" | "failed" | "cancelled" | "interrupted";
  created: string;
  started: string | null;
  ended: string | null;
  result: unknown;
  error: { code: string; message: string } | null;
};

export type Look = {
  source: string;
  columns: Array<{
    name: string;
    type: "number" | "time" | "point" | "cell" | "text" | "empty";
    samples: Array<string> | null;
    role: string | null;
  }>;
  guess: Record<string, string>;
  open: Array<{ flag: string; says: string }>;
  doubts: Array<string>;
  told: Array<string>;
  isOccupancy: boolean;
};

export type PlanEntry = { hash: string; dataset: string; created: string; summary: unknown };

export type PrivacyFacts = {
  warning?: string | undefined;
  neighbours: string;
  loss: {
    exact: string;
    roundedUp: string;
    simpleExact: string;
    simpleRoundedUp: string;
    epsilonPerGrid: string | null;
    guessesRightAtMostPercent: string;
    inWords: string;
    simpleInWords: string;
  };
  protected: Array<string>;
  notProtected: Array<string>;
  method: Array<string>;
  identity: Record<string, string>;
};

export type PublishedDataset = {
  name: string;
  unit: string | null;
  statistics: Array<string>;
  grids: number;
  released: number;
  onlyReleased: boolean;
};

export type Recipe = {
  user?: string | undefined;
  value?: string | undefined;
  by?: string | undefined;
  lat?: string | undefined;
  lon?: string | undefined;
  point?: string | undefined;
  cell?: string | undefined;
  h3?: string | undefined;
  time?: string | undefined;
  timeFormat?: string | undefined;
  slot?: string | undefined;
  tz?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  hours?: string | undefined;
  emptyUser?: string | undefined;
  dedupe?: string | undefined;
  missing?: string | undefined;
  minUsers?: string | undefined;
  top?: string | undefined;
  oneRecordPerUser?: boolean | undefined;
  delimiter?: string | undefined;
  header?: string | undefined;
  decimalComma?: boolean | undefined;
  encoding?: string | undefined;
};

export type Released = {
  warning?: string | undefined;
  format: string;
  confidence: string;
  bounds: Array<string>;
  statistics: Array<string>;
  estimator: string;
  partition: Record<string, string>;
  grids: number;
  users: number;
  samples: number;
  privacy: PrivacyFacts;
  dictionary: Array<{ name: string; type: string; meaning: string; unit: string; range: string }>;
  rows: Array<ReleasedRow>;
};

export type ReleasedGeoJson = {
  warning?: string | undefined;
  type: "FeatureCollection";
  veilgrid: {
    warning?: string | undefined;
    format: string;
    confidence: string;
    bounds: Array<string>;
    statistics: Array<string>;
    estimator: string;
    partition: Record<string, string>;
    grids: number;
    users: number;
    samples: number;
    privacy: PrivacyFacts;
    dictionary: Array<{ name: string; type: string; meaning: string; unit: string; range: string }>;
  };
  features: Array<{ type: "Feature"; id: string; geometry: unknown; properties: Record<string, unknown> }>;
};

export type ReleasedHistogram = {
  bins: Array<{
    bin: string;
    value: number;
    raw: number;
    low: number;
    high: number;
    scale: number;
    bias: number;
    typical?: number | undefined;
    modelLow?: number | undefined;
    modelHigh?: number | undefined;
    smoothed?: number | undefined;
    smoothedLow?: number | undefined;
    smoothedHigh?: number | undefined;
  }>;
  error: number;
  dataFreeError: number;
  useful: boolean;
};

export type ReleasedNumber = {
  value: number;
  raw: number;
  low: number;
  high: number;
  scale: number;
  bias: number;
  typical?: number | undefined;
  modelLow?: number | undefined;
  modelHigh?: number | undefined;
  smoothed?: number | undefined;
  smoothedLow?: number | undefined;
  smoothedHigh?: number | undefined;
  sd?:
    | {
        value: number;
        low: number;
        high: number;
        modelLow?: number | undefined;
        modelHigh?: number | undefined;
        smoothed?: number | undefined;
        smoothedLow?: number | undefined;
        smoothedHigh?: number | undefined;
      }
    | undefined;
  error: number;
  dataFreeError: number;
  useful: boolean;
};

export type ReleasedRow = {
  grid: string;
  by: Record<string, string | null>;
  cell: string | null;
  slot: string | null;
  users: number;
  samples: number;
  kept: number;
  statistics: Record<string, ReleasedNumber | ReleasedHistogram> | null;
};

export type Standing = {
  dataset: string;
  created: string;
  budget: number;
  loss: number;
  left: number;
  users: number;
  usersAreHashed: boolean;
  heaviest: Array<{ user: string; loss: number }>;
  distribution: Array<{ from: number; to: number; users: number }>;
  releases: Array<{
    key: string;
    planHash: string;
    created: string;
    state: "committed" | "pending" | "void";
    loss: number;
    exactLoss: string;
    committed: number;
    pending: Array<string>;
  }>;
  moreLikeLast: number | null;
  trail: Array<{ time: string; kind: string; what: string }>;
  exact: { budget: string; loss: string; left: string };
};

export type Verification = {
  consistent: boolean;
  problems: Array<string>;
  counts: { datasets: number; releases: number; parts: number; users: number; lines: number };
};

/** Method and path by name. */
export const OPERATIONS = {
  askGrid: ["POST", "/v1/published/{dataset}/grids/{grid}"],
  cancelJob: ["DELETE", "/v1/jobs/{job}"],
  changeDataset: ["PATCH", "/v1/datasets/{dataset}"],
  followJob: ["GET", "/v1/jobs/{job}/events"],
  getApiPage: ["GET", "/docs"],
  getDashboard: ["GET", "/"],
  getDataset: ["GET", "/v1/datasets/{dataset}"],
  getDictionary: ["GET", "/v1/published/{dataset}/dictionary"],
  getGrid: ["GET", "/v1/published/{dataset}/grids/{grid}"],
  getHealth: ["GET", "/health"],
  getJob: ["GET", "/v1/jobs/{job}"],
  getLedger: ["GET", "/v1/datasets/{dataset}/ledger"],
  getMe: ["GET", "/v1/me"],
  getMetrics: ["GET", "/metrics"],
  getOccupancy: ["GET", "/v1/datasets/{dataset}/occupancy"],
  getOpenApi: ["GET", "/openapi.json"],
  getPlan: ["GET", "/v1/datasets/{dataset}/plans/{plan}"],
  getReady: ["GET", "/ready"],
  getResults: ["GET", "/v1/published/{dataset}/results"],
  getStatement: ["GET", "/v1/published/{dataset}/statement"],
  listDatasets: ["GET", "/v1/datasets"],
  listGrids: ["GET", "/v1/published/{dataset}/grids"],
  listJobs: ["GET", "/v1/jobs"],
  listPlans: ["GET", "/v1/datasets/{dataset}/plans"],
  listPublished: ["GET", "/v1/published"],
  lookAtSource: ["POST", "/v1/look"],
  raiseBudget: ["POST", "/v1/datasets/{dataset}/ledger/raise"],
  redeemCode: ["POST", "/v1/session"],
  registerDataset: ["POST", "/v1/datasets"],
  startComparison: ["POST", "/v1/datasets/{dataset}/compare"],
  startPlan: ["POST", "/v1/datasets/{dataset}/plans"],
  startRelease: ["POST", "/v1/datasets/{dataset}/releases"],
  startSurvey: ["POST", "/v1/datasets/{dataset}/survey"],
  uploadFile: ["POST", "/v1/uploads"],
  verifyLedger: ["GET", "/v1/ledger/verify"],
  voidRelease: ["POST", "/v1/datasets/{dataset}/ledger/void"],
} as const;
