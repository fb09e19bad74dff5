/** Inputs made from known ones: bytes changed, pieces repeated, taken out, exchanged, and what readers stumble over put in. */

/** What numbers, texts and files are made difficult with. */
export const MORSELS = [
  "",
  "0",
  "-0",
  "-1",
  "1e999",
  "1e-999",
  "9".repeat(40),
  "0.1",
  "NaN",
  "Infinity",
  "4294967295",
  "4294967296",
  "9007199254740993",
  "null",
  "true",
  "[]",
  "{}",
  '"',
  '""',
  "'",
  ",",
  ";",
  "\t",
  "\n",
  "\r\n",
  "\r",
  "\\",
  "/",
  "%",
  "%2F",
  "%00",
  "\u0000",
  "\ufeff",
  "\u202e",
  "\ud83d",
  "é",
  "😀",
  "=",
  "=1+1",
  ":",
  "::",
  "://",
  "@",
  "?",
  "&",
  "#",
  " ",
  "--",
  "$(x)",
  "`",
  "<b>",
  "__proto__",
  "constructor",
  "toString",
  "PAR1",
  "\u001f\u008b",
  "1970-01-01T00:00:00Z",
  "2026-02-30",
  "+25:00",
  "a".repeat(300),
].map((text) => Buffer.from(text));

export function mutate(random, seeds) {
  let bytes = Buffer.from(seeds[random.below(seeds.length)]);
  for (let changes = 1 + random.below(4); changes > 0; changes--)
    bytes = KINDS[random.below(KINDS.length)](bytes, random, seeds);
  return bytes.subarray(0, 1 << 16);
}

const place = (bytes, random) => random.below(bytes.length + 1);
const piece = (bytes, random) => {
  const from = place(bytes, random);
  return [from, Math.min(bytes.length, from + random.below(1 + Math.min(64, bytes.length)))];
};
const replaced = (bytes, from, to, by) => Buffer.concat([bytes.subarray(0, from), by, bytes.subarray(to)]);

const KINDS = [
  /** Another byte, or one bit of it. */
  (bytes, random) => {
    if (bytes.length === 0) return bytes;
    const changed = Buffer.from(bytes);
    const at = random.below(bytes.length);
    changed[at] = random.below(2) === 0 ? random.below(256) : changed[at] ^ (1 << random.below(8));
    return changed;
  },
  (bytes, random) => replaced(bytes, ...piece(bytes, random), Buffer.alloc(0)),
  (bytes, random) => {
    const [from, to] = piece(bytes, random);
    return replaced(bytes, from, from, bytes.subarray(from, to));
  },
  (bytes, random) => {
    const at = place(bytes, random);
    return replaced(bytes, at, at, MORSELS[random.below(MORSELS.length)]);
  },
  (bytes, random) => replaced(bytes, ...piece(bytes, random), MORSELS[random.below(MORSELS.length)]),
  /** A number by another. */
  (bytes, random) => {
    const numbers = [...bytes.toString("latin1").matchAll(/-?\d+(\.\d+)?/g)];
    if (numbers.length === 0) return bytes;
    const { index, 0: text } = numbers[random.below(numbers.length)];
    return replaced(bytes, index, index + text.length, MORSELS[random.below(13)]);
  },
  /** A piece of another input. */
  (bytes, random, seeds) => {
    const other = seeds[random.below(seeds.length)];
    const [from, to] = piece(other, random);
    return replaced(bytes, ...piece(bytes, random), other.subarray(from, to));
  },
  /** The end is missing. */
  (bytes, random) => bytes.subarray(0, place(bytes, random)),
];
