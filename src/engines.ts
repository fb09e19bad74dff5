/** Engines for programs that keep one open over several surveys, plans and releases. */
export { type Engine, openEngine } from "./data/engines/index.ts";
