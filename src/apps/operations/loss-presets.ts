/** Losses by name, with what they mean, and a loss per release from a budget and the number of releases planned. */
import { parseDecimal, type Rational } from "../../core/arithmetic/index.ts";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { checkEpsilon, LOSS_UNIT } from "../../core/influence/index.ts";

export interface LossPreset {
  readonly name: string;
  readonly loss: string;
  /** What an attacker who knows everything else can make of it. */
  readonly meaning: string;
}

/** Percentages: e^λ/(1 + e^λ), how often a guess between two equally likely values of one user is right at best. */
export const LOSS_PRESETS: readonly LossPreset[] = [
  { name: "careful", loss: "0.1", meaning: "a coin toss about one user's values is right at most 52.5 % of the time" },
  { name: "common", loss: "1", meaning: "at most 73.2 % of the time: the usual choice for a single publication" },
  { name: "loose", loss: "3", meaning: "at most 95.3 % of the time: little is left of deniability" },
];

/** `--loss 0.5`, `--loss common` or `--loss 2/52`: a budget shared by so many releases, rounded down to 18 digits. */
export function lossOf(text: string): Rational {
  const preset = LOSS_PRESETS.find(({ name }) => name === text);
  if (preset !== undefined) return parseDecimal(preset.loss, "--loss");
  const [budget, releases = "1", ...more] = text.split("/").map((part) => part.trim());
  if (more.length > 0 || !/^-?[\d.]+(e-?\d{1,3})?$/i.test(budget!) || !/^[1-9]\d{0,8}$/.test(releases)) {
    const names = LOSS_PRESETS.map(({ name }) => name).join(", ");
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--loss ${quoteForMessage(text)} is not a number such as 0.5, a budget over a number of releases (2/52), or one of ${names}`,
    );
  }
  const loss = parseDecimal(budget!, "--loss");
  checkEpsilon(loss, "--loss");
  return loss.divide(parseDecimal(releases, "--loss")).floorToMultipleOf(LOSS_UNIT);
}
