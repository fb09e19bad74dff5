/**
 * Veilgrid: per-group statistics of many people's records with user-level differential privacy, exact losses and guaranteed
 * errors.
 *
 * Records go in as files, tables or rows; counts, plans and results come out as objects, and text or files are made of them
 * where they are wanted. This entry needs Node; `veilgrid/planning` runs in a browser.
 *
 * @packageDocumentation
 */
/// <reference lib="esnext.disposable" preserve="true" />
export {
  openLedger,
  planRecords as plan,
  releasePlan as release,
  render,
  surveyRecords as survey,
  writeRelease,
} from "./apps/operations/index.ts";
