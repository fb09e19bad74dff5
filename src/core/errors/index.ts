/** The catalogue of errors, the error type that carries their codes, and helpers for messages. */
export { ERRORS, type ErrorCode, type ErrorEntry } from "./catalogue.ts";
export { escapeControls, invariant, itemAt, quoteForMessage, VeilgridError } from "./veilgrid-error.ts";
