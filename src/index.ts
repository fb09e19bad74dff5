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

export * from "./apps/operations/index.ts";
export * from "./core/arithmetic/index.ts";
export * from "./core/composition/index.ts";
export * from "./core/errors/index.ts";
export * from "./core/influence/index.ts";
export * from "./core/occupancy/index.ts";
export * from "./core/planning/index.ts";
export * from "./data/partition/index.ts";
export * from "./data/sources/index.ts";
export * from "./evidence/simulation/index.ts";
