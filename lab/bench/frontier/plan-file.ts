/** A plan file as the checker sees it: the keys it needs, read from the JSON text on its own; keys it does not know are passed over. */
import { Fraction } from "./fraction.js";

export interface PlanFileNoise {
  readonly epsilon: Fraction;
  readonly epsilons: readonly Fraction[];
  readonly scales: readonly Fraction[];
}

export interface PlanFile {
  /** U. */
  readonly width: Fraction;
  readonly statistics: ReadonlyArray<"mean" | "variance">;
  readonly weights: readonly Fraction[];
  readonly metric: "sum" | "relative";
  readonly estimator: "kept" | "centred";
  readonly occupancy: {
    readonly users: number;
    readonly grids: number;
    readonly entries: number;
    readonly samples: number;
  };
  readonly grids: readonly string[];
  readonly noise: readonly PlanFileNoise[];
  /** By grid; null where nothing is capped. */
  readonly caps: ReadonlyArray<number | null>;
  readonly users: readonly string[];
  readonly suppressed: ReadonlyArray<readonly [number, number]>;
  readonly trimmed: ReadonlyArray<readonly [number, number, number]>;
  readonly loss: Fraction;
  readonly lossSimple: Fraction;
  readonly hash: string;
}

/** Throws where the text is not a plan, or speaks of statistics that the checker has no formula for. */
export function parsePlanFile(text: string): PlanFile {
  const root = object(JSON.parse(text), "plan");
  const [lower, upper] = list(root["bounds"], "bounds", exact, 2);
  const statistics = list(root["statistics"], "statistics", (value, name) =>
    oneOf<"mean" | "variance">(value, name, ["mean", "variance"]),
  );
  const grids = list(root["grids"], "grids", string);
  const occupancy = object(root["occupancy"], "occupancy");
  const size = (name: string): number => whole(occupancy[name], `occupancy.${name}`);
  return {
    width: upper!.minus(lower!),
    statistics,
    weights: list(root["weights"], "weights", exact, statistics.length),
    metric: oneOf(root["metric"], "metric", ["sum", "relative"]),
    estimator: oneOf(root["estimator"], "estimator", ["kept", "centred"]),
    occupancy: { users: size("users"), grids: size("grids"), entries: size("entries"), samples: size("samples") },
    grids,
    noise: list(
      root["noise"],
      "noise",
      (value, name) => {
        const noise = object(value, name);
        return {
          epsilon: exact(noise["epsilon"], `${name}.epsilon`),
          epsilons: list(noise["epsilons"], `${name}.epsilons`, exact, statistics.length),
          scales: list(noise["scales"], `${name}.scales`, exact, statistics.length),
        };
      },
      grids.length,
    ),
    caps:
      root["caps"] === null
        ? grids.map(() => null)
        : list(root["caps"], "caps", (value, name) => (value === null ? null : whole(value, name)), grids.length),
    users: list(root["users"], "users", string),
    suppressed: list(root["suppressed"], "suppressed", (value, name) => {
      const [user, grid] = list(value, name, whole, 2);
      return [user!, grid!] as const;
    }),
    trimmed: list(root["trimmed"], "trimmed", (value, name) => {
      const [user, grid, kept] = list(value, name, whole, 3);
      return [user!, grid!, kept!] as const;
    }),
    loss: exact(root["loss"], "loss"),
    lossSimple: exact(root["lossSimple"], "lossSimple"),
    hash: string(root["hash"], "hash"),
  };
}

function object(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new SyntaxError(`${name} is not an object`);
  return value as Readonly<Record<string, unknown>>;
}

function list<Item>(
  value: unknown,
  name: string,
  item: (value: unknown, name: string) => Item,
  length?: number,
): Item[] {
  if (!Array.isArray(value)) throw new SyntaxError(`${name} is not a list`);
  if (length !== undefined && value.length !== length)
    throw new SyntaxError(`${name} has ${value.length} items, not ${length}`);
  return value.map((each: unknown, at) => item(each, `${name}[${at}]`));
}

function string(value: unknown, name: string): string {
  if (typeof value !== "string") throw new SyntaxError(`${name} is not text`);
  return value;
}

function exact(value: unknown, name: string): Fraction {
  return Fraction.parse(string(value, name));
}

function whole(value: unknown, name: string): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0)
    throw new SyntaxError(`${name} is not a whole number`);
  return value;
}

function oneOf<Choice extends string>(value: unknown, name: string, choices: readonly Choice[]): Choice {
  const found = choices.find((choice) => choice === value);
  if (found === undefined)
    throw new SyntaxError(`${name} ${JSON.stringify(value)} is not one of ${choices.join(", ")}`);
  return found;
}
