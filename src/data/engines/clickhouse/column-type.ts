/** Reads a ClickHouse type's name: the kind of its values, and whether some may be missing. */

export type ColumnKind =
  | { readonly kind: "text"; readonly padded: boolean }
  /** At most 64 bits. */
  | { readonly kind: "integer"; readonly signed: boolean }
  | { readonly kind: "float" }
  | { readonly kind: "decimal"; readonly precision: number; readonly scale: number }
  | { readonly kind: "date" }
  /** An instant; `digits` after the seconds. */
  | { readonly kind: "instant"; readonly digits: number }
  /** UUID, Enum and other values of which only the text is of use. */
  | { readonly kind: "label" }
  /** Two floats or integers, or a list of them. */
  | { readonly kind: "pair" }
  | { readonly kind: "list" }
  | { readonly kind: "other" };

export interface ColumnType {
  readonly is: ColumnKind;
  readonly nullable: boolean;
  /** The type that values have once a dictionary around it is taken away; null where there is none. */
  readonly plain: string | null;
}

export function columnType(name: string): ColumnType {
  const inner = argumentOf(name, "LowCardinality");
  const plain = inner ?? name;
  const value = argumentOf(plain, "Nullable");
  return { is: kindOf(value ?? plain), nullable: value !== undefined, plain: inner ?? null };
}

function argumentOf(type: string, family: string): string | undefined {
  return type.startsWith(`${family}(`) && type.endsWith(")") ? type.slice(family.length + 1, -1).trim() : undefined;
}

const NUMBER = /^(U?Int(8|16|32|64)|Float(32|64))$/;

function kindOf(type: string): ColumnKind {
  if (type === "String") return { kind: "text", padded: false };
  if (/^FixedString\(\d+\)$/.test(type)) return { kind: "text", padded: true };
  const integer = /^(U?)Int(?:8|16|32|64)$/.exec(type);
  if (integer !== null) return { kind: "integer", signed: integer[1] === "" };
  if (type === "Float32" || type === "Float64") return { kind: "float" };
  const decimal = /^Decimal\((\d+), ?(\d+)\)$/.exec(type);
  if (decimal !== null) return { kind: "decimal", precision: Number(decimal[1]), scale: Number(decimal[2]) };
  if (type === "Date" || type === "Date32") return { kind: "date" };
  if (type === "DateTime" || /^DateTime\('.*'\)$/.test(type)) return { kind: "instant", digits: 0 };
  const precise = /^DateTime64\((\d)(?:, ?'.*')?\)$/.exec(type);
  if (precise !== null) return { kind: "instant", digits: Number(precise[1]) };
  if (type === "UUID" || type === "Bool" || type === "IPv4" || type === "IPv6" || /^Enum(8|16)?\(/.test(type))
    return { kind: "label" };
  const pair = argumentOf(type, "Tuple");
  if (type === "Point" || (pair !== undefined && isPairOfNumbers(pair))) return { kind: "pair" };
  const item = argumentOf(type, "Array");
  if (item !== undefined && NUMBER.test(item)) return { kind: "list" };
  return { kind: "other" };
}

/** Elements may have names: `lon Float64, lat Float64`. */
function isPairOfNumbers(elements: string): boolean {
  const types = elements.split(",").map((element) => element.trim().split(" ").at(-1)!);
  return types.length === 2 && types.every((type) => NUMBER.test(type));
}
