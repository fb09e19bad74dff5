/** One catalogue of everything that can go wrong, and the error type that carries its codes. */
export { ERRORS, type ErrorCode, type ErrorEntry } from "./catalogue.ts";
export { itemAt } from "./item-at.ts";
export { escapeControls, invariant, quoteForMessage, VeilgridError } from "./veilgrid-error.ts";
