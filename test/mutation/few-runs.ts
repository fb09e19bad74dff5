/** Properties are tried fewer times than in `npm test`: thousands of mutants are held to them, and most fall at once. */
import fc from "fast-check";

fc.configureGlobal({ numRuns: 30 });
