/** Properties are tried fewer times than in `npm test`, and no smaller counterexample is looked for: thousands of mutants are held to them, and most fall at once. */
import fc from "fast-check";

fc.configureGlobal({ numRuns: 30, endOnFailure: true });
