/** Numbers as people write them beside an axis: 10,000 and 0.002, no exponents unless there is no other way. */
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

export function plainNumber(value: number): string {
  const sign = value < 0 ? "−" : "";
  const size = Number(Math.abs(value).toPrecision(12));
  if (size === 0) return "0";
  if (size >= 1e9 || size < 1e-6) return sign + withPower(size);
  const [whole, fraction] = String(size).split(".") as [string, string | undefined];
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${fraction === undefined ? "" : `.${fraction}`}`;
}

function withPower(size: number): string {
  const [digits, power] = size.toExponential().split("e") as [string, string];
  const raised = [...power.replace("+", "")].map((each) => SUPERSCRIPTS[Number(each)] ?? "⁻").join("");
  return `${digits === "1" ? "" : `${digits} × `}10${raised}`;
}
