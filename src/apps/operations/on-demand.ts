/** Use cases that bring more along than a plan needs, native code above all: loaded when called, so that a plan starts at once. */

/** A function of a module that is loaded when it is called. */
function lazily<Given extends unknown[], Result>(
  load: () => Promise<(...given: Given) => Promise<Result>>,
): (...given: Given) => Promise<Result> {
  return async (...given) => (await load())(...given);
}

/** Charges the ledger, publishes, and writes files; the same key again gives the same bytes. */
export const releaseRecords = lazily(async () => (await import("./release.ts")).releaseRecords);

/** Charges the ledger and publishes what a plan says; the same key again gives the same bytes. */
export const releasePlan = lazily(async () => (await import("./release.ts")).releasePlan);

/** What a release would cost. Reads counts, charges nothing and writes nothing. */
export const releaseDryRun = lazily(async () => (await import("./release.ts")).releaseDryRun);

/** Opens a release that is made grid by grid. */
export const openRelease = lazily(async () => (await import("./open-release.ts")).openRelease);

/** A result as text. */
export const render = lazily(async () => (await import("./release-files.ts")).render);

/** Writes a result in every format, with its privacy statement and data dictionary. */
export const writeRelease = lazily(async () => (await import("./release-files.ts")).writeRelease);

/** Opens the ledger of a file or of a database's address. */
export const openLedger = lazily(async () => (await import("./ledger.ts")).openLedger);

/** Makes a dataset with a budget, and the ledger's file if there is none. */
export const ledgerInit = lazily(async () => (await import("./ledger.ts")).ledgerInit);

/** Where one dataset stands, or all of them. */
export const ledgerShow = lazily(async () => (await import("./ledger.ts")).ledgerShow);

/** The head of the ledger's journal as one line, to keep outside the ledger. */
export const ledgerHead = lazily(async () => (await import("./ledger.ts")).ledgerHead);

/** Works out every balance again from the journal. */
export const ledgerVerify = lazily(async () => (await import("./ledger.ts")).ledgerVerify);

/** Gives up a release that was charged and never committed. */
export const ledgerVoid = lazily(async () => (await import("./ledger.ts")).ledgerVoid);

/** Raises a budget, and records why. */
export const ledgerRaise = lazily(async () => (await import("./ledger.ts")).ledgerRaise);

/** Attacks the noise path and the ledger. */
export const audit = lazily(async () => (await import("./audit.ts")).audit);

/** Whether an audit of so many runs sees mistakes that are planted: seconds. */
export const auditMistakes = lazily(async () => (await import("./audit.ts")).auditMistakes);

/** The same for every strategy, estimator and statistic, with questions grid by grid and planted mistakes: minutes. */
export const auditInFull = lazily(async () => (await import("./audit.ts")).auditInFull);

/** Strategies, estimators and partitions side by side. Reads counts only. */
export const compare = lazily(async () => (await import("./compare.ts")).compare);

/** The paper's experiments: figures, their numbers, findings and a page, written to a folder. */
export const reproduce = lazily(async () => (await import("./reproduce.ts")).reproduce);

/** Draws an array of the paper's synthetic model and writes it as CSV. */
export const simulateSynthetic = lazily(async () => (await import("./simulate.ts")).simulateSynthetic);

/** Writes a day of records of an invented bus city. */
export const simulateCity = lazily(async () => (await import("./simulate-city.ts")).simulateCity);
