/** Defines the options of a run in the page, and reads them from the form's fields. */

export interface RunOptions {
  readonly gamma: number;
  readonly q: number;
  readonly seed: number;
  readonly grids: number;
  /** As it was typed: a decimal is exact. */
  readonly epsilon: string;
}

export type RunField = keyof RunOptions;
export type RunTexts = Readonly<Record<RunField, string>>;

/** The paper's first synthetic array at the middle of its range. */
export const FIRST_OPTIONS: RunTexts = { gamma: "3", q: "0.01", seed: "1", grids: "12", epsilon: "0.5" };

const LIMITS: Readonly<Record<RunField, { least: number; most: number; whole: boolean }>> = {
  gamma: { least: 0, most: 1000, whole: true },
  q: { least: 0.0001, most: 1, whole: false },
  seed: { least: 0, most: 1e9, whole: true },
  grids: { least: 1, most: 12, whole: true },
  epsilon: { least: 0.001, most: 100, whole: false },
};

export function readOptions(
  texts: RunTexts,
):
  | { readonly options: RunOptions; readonly problems?: undefined }
  | { readonly options?: undefined; readonly problems: Partial<Record<RunField, string>> } {
  const problems: Partial<Record<RunField, string>> = {};
  const read = (field: RunField): number => {
    const { least, most, whole } = LIMITS[field];
    const text = texts[field].trim();
    const value = /^\d*\.?\d+$/.test(text) ? Number(text) : NaN;
    if (!(value >= least && value <= most) || (whole && !Number.isInteger(value)))
      problems[field] = `A ${whole ? "whole number" : "number"} from ${least} to ${most.toLocaleString("en")}.`;
    return value;
  };
  const options = {
    gamma: read("gamma"),
    q: read("q"),
    seed: read("seed"),
    grids: read("grids"),
    epsilon: String(read("epsilon")),
  };
  return Object.keys(problems).length > 0 ? { problems } : { options };
}
