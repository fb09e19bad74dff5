/** Options of a plan, of a comparison and of a release. */
import { DECIMAL, type OptionTable, type OptionTexts } from "./option.ts";
import { RECORDS_OPTIONS } from "./records-options.ts";

const FRONTIER = ["frontier"] as const;
const BALANCED = ["balanced"] as const;
const CLIP_USER = ["clip-user", "clip-user-optimal"] as const;

const BOUNDS_OPTIONS = {
  bounds: { takes: "<a,b>", help: "range that values are clamped to: 0,65; never taken from the data" },
  upper: { takes: "<b>", type: "number", help: "the same as --bounds 0,b" },
} as const satisfies OptionTable;

/** Text of one line without characters that steer a terminal or the direction of text. */
const line = (most: number) =>
  ({
    pattern: `^[^\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]{1,${most}}$`,
  }) as const;

/** What a publication says about itself. A plan carries it; a release may add what its plan lacks. */
export const ABOUT_OPTIONS = {
  unit: { takes: "<text>", help: "what values are measured in, such as km/h; at most 40 characters", served: line(40) },
  title: { takes: "<text>", help: "heading of what is published; at most 200 characters", served: line(200) },
  description: {
    takes: "<text>",
    help: "a sentence or two on what is published; at most 2000 characters",
    served: line(2000),
  },
} as const satisfies OptionTable;
export type About = OptionTexts<typeof ABOUT_OPTIONS>;

export const PLAN_OPTIONS = {
  ...BOUNDS_OPTIONS,
  ...ABOUT_OPTIONS,
  loss: {
    takes: "<number>",
    type: "number",
    help: "balanced, frontier: the loss you allow; the smallest typical error for it, or the smallest guaranteed error. 0.5, a budget over releases (2/52), or careful (0.1), common (1), loose (3)",
    strategies: ["balanced", "frontier"],
    served: true,
  },
  error: {
    takes: "<number>",
    type: "number",
    help: "frontier: the error you allow; the smallest loss for it. One per statistic, mean=2,sd=5, or one for all in the --metric that you name",
    strategies: FRONTIER,
    served: true,
  },
  epsilon: {
    takes: "<number>",
    type: "number",
    help: "ε per grid: more ε, less noise, more loss. frontier: the smallest loss for the error it would have",
    served: DECIMAL,
  },
  strategy: {
    takes: "<name>",
    help: "balanced (closest to the truth, typically), frontier (best guarantee); or the paper's: baseline (drops nobody), clip-user, clip-user-optimal (its smallest K)",
    choices: ["baseline", "clip-user", "clip-user-optimal", "frontier", "balanced"],
    default: "balanced for --loss, frontier for --error and --epsilon",
    served: true,
  },
  spread: {
    takes: "<list>",
    help: "balanced: how far users' averages in a group, one user's records, and heavy and light users differ: users=2,records=4,trend=1, in the value's unit; from public knowledge",
    default: "1/32, 1/16 and 1/64 of the range",
    strategies: BALANCED,
    served: true,
  },
  aim: {
    takes: "<name>",
    help: "balanced: the smallest typical error on average over the groups, or of the worst ones",
    choices: ["typical", "worst"],
    default: "typical",
    strategies: BALANCED,
    served: true,
  },
  guarantee: {
    takes: "<number>",
    type: "number",
    help: "balanced: what the guaranteed error must not exceed, as for --error; the plan then has one pass",
    strategies: BALANCED,
    served: true,
  },
  passes: {
    takes: "<n>",
    help: "balanced: 2 spends some of the loss on learning where each group's values lie, and adds less noise to them; 1 does not",
    choices: ["1", "2"],
    default: "2 where there are users enough, otherwise 1",
    strategies: BALANCED,
    served: true,
  },
  estimator: {
    takes: "<name>",
    help: "what is left out counts as the middle of the range (centred), or as if it did not exist (kept, the paper's)",
    choices: ["kept", "centred"],
    default: "centred for frontier",
    strategies: ["baseline", "clip-user", "clip-user-optimal", "frontier"],
    served: true,
  },
  timeLimit: {
    takes: "<seconds>",
    type: "number",
    help: "frontier, clip-user-optimal: stop searching after so many whole seconds; the plan then depends on the machine",
    strategies: ["frontier", "clip-user-optimal"],
    served: DECIMAL,
  },
  statistics: {
    takes: "<list>",
    // Written out, so that help loads no statistic; a test holds it to the list.
    help: "mean, variance, sum, share:T (of values above T), histogram:E/E (shares of the bins between edges), second-moment",
    default: "mean,variance",
    served: true,
  },
  weights: {
    takes: "<list>",
    help: "with --metric sum: weights of the statistics' errors, mean=1,variance=0.1",
    default: "1",
    served: true,
  },
  split: {
    takes: "<name>",
    help: "a grid's ε over its statistics: even, or best for its error; drops are decided under even",
    choices: ["even", "best"],
    default: "even",
    strategies: ["baseline", "clip-user", "clip-user-optimal"],
    served: true,
  },
  metric: {
    takes: "<name>",
    help: "what an error is: relative to the data-free error, the worst statistic, or sum of the statistics' errors, whatever their units",
    choices: ["sum", "relative"],
    default: "relative for several statistics, sum for one and for the paper's strategies",
    served: true,
  },
  errorBound: {
    takes: "<number>",
    type: "number",
    help: "clip-user, clip-user-optimal: error, in the metric, that no grid may exceed",
    default: "the worst before any drop",
    strategies: CLIP_USER,
    served: DECIMAL,
  },
  protectLowest: {
    help: "clip-user, clip-user-optimal: drop nobody from the grid with the smallest error, as the paper's synthetic runs do",
    strategies: CLIP_USER,
    served: true,
  },
  wholeStages: {
    help: "clip-user: undo the drops of the last, unfinished round; they add bias and cannot lower K",
    strategies: ["clip-user"],
    served: true,
  },
  caps: {
    help: "baseline, clip-user: then cap every user's records in each grid where that lowers the error",
    strategies: ["baseline", "clip-user"],
    served: true,
  },
  step: {
    takes: "<number>",
    type: "number",
    help: "lattice that values are rounded to; must divide b - a",
    default: "(b - a)/2^20",
    served: DECIMAL,
  },
  keep: {
    takes: "<rule>",
    help: "which records of a user are kept where not all are: spread evenly over time, or first, the earliest",
    choices: ["spread", "first"],
    default: "spread",
    served: true,
  },
} as const satisfies OptionTable;

export const COMPARE_OPTIONS = {
  ...BOUNDS_OPTIONS,
  loss: {
    takes: "<list>",
    type: "number",
    help: "compare at these losses: 0.5,1,2 or careful,common",
    default: "0.2,0.5,1,2,5",
    served: true,
  },
  error: {
    takes: "<list>",
    type: "number",
    help: "compare at these errors instead: 2,5; of several statistics 0.2,0.5 with --metric relative, 100,200 with --metric sum",
    served: true,
  },
  epsilon: {
    takes: "<list>",
    type: "number",
    help: "compare at the errors that the baseline has at these ε per grid instead",
    served: true,
  },
  strategies: {
    takes: "<list>",
    help: "baseline, clip-user, clip-user+caps, clip-user-optimal (slow), frontier, balanced (with --loss)",
    default: "all but the slow one; baseline,frontier,balanced for several kinds of grids",
    served: true,
  },
  estimator: { takes: "<list>", help: "frontier: kept, centred, or kept,centred", default: "both", served: true },
  statistics: { takes: "<list>", help: "as for plan", default: "mean,variance", served: true },
  weights: { takes: "<list>", help: "with --metric sum: weights of the statistics' errors" },
  metric: {
    takes: "<name>",
    help: "relative or sum, as for plan, for all strategies alike",
    default: "relative for several statistics, sum for one",
    served: true,
  },
  protectLowest: { help: PLAN_OPTIONS.protectLowest.help },
  timeLimit: {
    takes: "<seconds>",
    type: "number",
    help: "frontier, clip-user-optimal: stop each plan by the clock",
    served: DECIMAL,
  },
  unit: { takes: "<text>", help: "what values are measured in, such as km/h, for tables and charts" },
  budget: {
    takes: "<number>",
    type: "number",
    help: "with --releases: the loss that a user may suffer in all",
  },
  releases: {
    takes: "<n>",
    type: "number",
    help: "with --budget: over how many releases; suggests a loss for each",
  },
  seed: {
    takes: "<n>",
    type: "number",
    help: "of the invented values that actual errors are told from",
    default: "1",
    served: DECIMAL,
  },
} as const satisfies OptionTable;

/** A comparison takes lists of hexagon sizes and slots. */
export const COMPARED_RECORDS_OPTIONS = {
  ...RECORDS_OPTIONS,
  h3: {
    ...RECORDS_OPTIONS.h3,
    takes: "<list>",
    help: `${RECORDS_OPTIONS.h3.help}; several, as 7,8,9, are compared, with --cell no finer than the cells are`,
  },
  slot: {
    ...RECORDS_OPTIONS.slot,
    takes: "<list>",
    help: `${RECORDS_OPTIONS.slot.help}; several, as 1h,3h, are compared`,
  },
} as const satisfies OptionTable;

export const RELEASE_OPTIONS = {
  plan: {
    takes: "<file>",
    help: "what veilgrid plan --out wrote; says how records are read. The service takes the plan's hash",
    served: { pattern: "^[0-9a-f]{64}$" },
  },
  ledger: {
    takes: "<place>",
    help: "where budgets are kept: a file, or postgres://user@host/database; made by veilgrid ledger init",
  },
  dataset: { takes: "<name>", help: "whose budget is charged" },
  key: {
    takes: "<text>",
    help: "name of this release: the same key gives the same bytes and is charged once; on the command line {yyyy}, {mm}, {dd} (today, UTC) and {plan} are filled in",
    default: "the plan's hash",
    // Under which answers are kept; the same for all time, so no template.
    served: { pattern: "^[^{}]{1,200}$" },
  },
  out: {
    takes: "<path>",
    help: "a file, or a folder (results/) for all formats, the privacy statement and the data dictionary; replaces files of these names",
    default: "CSV to standard output",
  },
  format: {
    takes: "<list>",
    help: "csv, json, parquet, geojson, html",
    default: "by the ending of --out; all of them into a folder",
  },
  ...ABOUT_OPTIONS,
  confidence: { takes: "<number>", type: "number", help: "of the intervals", default: "0.95" },
  after: {
    takes: "<head>",
    help: "refuse a ledger that does not contain this head, which veilgrid ledger show --head printed earlier",
  },
  ledgerIsCurrent: { help: "release although other files suggest that the ledger is an older copy" },
  usersKey: { takes: "<file>", help: "file with the secret under which the dataset keeps its users" },
  replaySeed: {
    takes: "<n>",
    type: "number",
    help: "experiments: noise that can be replayed; the output says NOT PRIVATE",
  },
} as const satisfies OptionTable;
