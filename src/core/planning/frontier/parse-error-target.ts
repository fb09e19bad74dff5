/** The text of `--error`: one number for all statistics together, or one each, such as `mean=2,sd=5`. */
import { parseDecimal, type Rational } from "../../arithmetic/index.ts";
import { quoteForMessage, VeilgridError } from "../../errors/index.ts";
import type { Objective } from "../../influence/index.ts";
import type { ErrorTarget } from "./error-target.ts";

/** `sd=5` is a variance's error of 25: a standard deviation is at most the root of its variance's error off. */
export function parseErrorTarget(text: string, objective: Objective): ErrorTarget {
  if (!text.includes("=")) return { kind: "together", error: positive(text, "--error") };
  const { statistics } = objective;
  const errors: Array<Rational | undefined> = statistics.map(() => undefined);
  const keys = statistics.map((statistic) => statistic.key);
  for (const part of text.split(",")) {
    const at = part.lastIndexOf("=");
    const name = part.slice(0, at).trim();
    const index = statistics.findIndex(({ key, kind }) => (name === "sd" ? kind.hasDeviation : key === name));
    if (at < 0 || index < 0)
      throw new VeilgridError(
        "PARAMETER_INVALID",
        `--error ${quoteForMessage(part)} names no chosen statistic; chosen: ${keys.join(", ")}`,
      );
    if (errors[index] !== undefined)
      throw new VeilgridError(
        "PARAMETER_INVALID",
        `--error ${quoteForMessage(part)}: ${keys[index]} has an error already (sd says the variance's)`,
      );
    const error = positive(part.slice(at + 1).trim(), `--error ${name}`);
    errors[index] = name === "sd" ? error.multiply(error) : error;
  }
  const missing = errors.indexOf(undefined);
  if (missing >= 0)
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--error says nothing about ${keys[missing]}; give every chosen statistic an error, or choose fewer with --statistics`,
    );
  return { kind: "each", errors: errors as Rational[] };
}

function positive(text: string, flag: string): Rational {
  const value = parseDecimal(text, flag);
  if (value.sign() <= 0)
    throw new VeilgridError("PARAMETER_INVALID", `${flag} ${quoteForMessage(text)} must be above 0`);
  return value;
}
