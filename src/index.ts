/**
 * Veilgrid: per-group statistics of many people's records with user-level differential privacy, exact losses and guaranteed
 * errors.
 *
 * The use cases (`survey`, `plan`, `releaseRecords`, `ledgerInit`, `audit`, `reproduce`) read and write files and need Node. The rooms they are built from
 * are also importable on their own, such as `veilgrid/planning`; those above `noise` run in a browser. Engines,
 * noise, ledger, release, report, charts, experiments, audit, client and service are importable on their own only: `veilgrid/ledger`.
 *
 * @packageDocumentation
 */
export * from "./arithmetic/index.ts";
export * from "./composition/index.ts";
export * from "./errors/index.ts";
export * from "./influence/index.ts";
export * from "./occupancy/index.ts";
export * from "./operations/index.ts";
export * from "./partition/index.ts";
export * from "./planning/index.ts";
export * from "./simulation/index.ts";
export * from "./sources/index.ts";
