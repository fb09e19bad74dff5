/** What can go wrong: the error that every function throws, and its codes (`docs/errors.md`). */
export { type ErrorCode, VeilgridError } from "./core/errors/index.ts";
