/** Exact discrete Laplace noise over injected random bits: small enough to audit in one sitting. */
export { bernoulliExp, discreteLaplace, type Fraction } from "./discrete-laplace.ts";
export { type ByteSource, RandomBits, type Uniform } from "./random-bits.ts";
export { systemBytes } from "./system-bytes.ts";
export { tailSteps } from "./tail.ts";
