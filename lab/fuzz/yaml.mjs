/** Config files made from YAML's grammar; and such as we write, which must be read back as they were meant. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { configText, readConfigFile } from "#data/sources";
import { MORSELS } from "./mutate.mjs";

const FLAGS = new Map([
  ["user", true],
  ["value", true],
  ["by", true],
  ["bounds", true],
  ["from", true],
  ["caps", false],
]);
const WORDS = [
  "user",
  "bus",
  "0,65",
  "true",
  "~",
  "null",
  "0x1F",
  "1_000",
  "2026-01-01",
  "'it''s'",
  '"a\\u0041"',
  "é",
  "[a, b]",
];
const NAMES = [
  ...FLAGS.keys(),
  "by",
  "x",
  "<<",
  "? by",
  "__proto__",
  "constructor",
  "!!str by",
  "&a by",
  '"by"',
  "[a]",
  "-",
];
const one = (random, items) => items[random.below(items.length)];
const morsel = (random) => one(random, MORSELS).toString("utf8");

/** A node at some depth, in block or flow style, with tags, anchors and aliases. */
function node(random, indent) {
  const draw = random.below(indent > 8 ? 5 : 12);
  if (draw < 4) return ` ${one(random, WORDS)}`;
  if (draw === 4) return ` ${morsel(random)}`;
  if (draw === 5)
    return ` ${one(random, ["|", ">", "|-", ">+", "|9", "|x"])}\n${" ".repeat(indent + 2)}${one(random, WORDS)}\n`;
  if (draw === 6)
    return ` ${one(random, ["!!str", "!!binary", "!!js/function", "!x", "!!map", "!!set"])}${node(random, indent + 2)}`;
  if (draw === 7) return ` &a${node(random, indent + 2)}`;
  if (draw === 8) return ` ${one(random, ["*a", "*b", "[*a, *a, *a]", "{<<: *a}"])}`;
  if (draw === 9) return ` {${one(random, NAMES)}:${node(random, 10)},${one(random, NAMES)}:${node(random, 10)}}`;
  if (draw === 10) return `\n${block(random, indent + 2, 2)}`;
  return `\n${" ".repeat(indent)}-${node(random, indent + 2)}\n${" ".repeat(indent)}-${node(random, indent + 2)}\n`;
}

function block(random, indent, most) {
  let text = "";
  for (let left = 1 + random.below(most); left > 0; left--)
    text += `${" ".repeat(indent)}${one(random, NAMES)}:${node(random, indent)}\n`;
  return text;
}

function documentOf(random) {
  const head = one(random, ["", "", "---\n", "%YAML 1.2\n---\n", "%TAG ! x\n---\n", "# about\n", "\ufeff"]);
  const tail = one(random, ["", "", "", "...\n", "---\nby: again\n", "\t", "\u0000"]);
  return `${head}${block(random, 0, 5)}${tail}`;
}

/** Values as flags may have them, and what must come back. */
function valuesOf(random) {
  return [...FLAGS.entries()]
    .filter(() => random.below(3) > 0)
    .map(([name, takesValue]) => [name, takesValue ? `${morsel(random)}${one(random, WORDS)}${morsel(random)}` : true]);
}

export const yaml = {
  prepare: (folder) => path.join(folder, "config.yaml"),
  generate: (random) =>
    Buffer.from(JSON.stringify(random.below(3) === 0 ? { values: valuesOf(random) } : { text: documentOf(random) })),
  try: async (bytes, place) => {
    const { values, text } = JSON.parse(bytes.toString("utf8"));
    writeFileSync(place, text ?? configText(values, ["about\nit"]));
    const found = await readConfigFile(place, FLAGS);
    if (values === undefined)
      return Object.keys(found).every((name) => FLAGS.has(name)) ? undefined : "has a flag that is none";
    const wanted = Object.fromEntries(
      values.map(([name, value]) => [name, value === true ? value : value.toWellFormed()]),
    );
    return JSON.stringify(found) === JSON.stringify(wanted) ? undefined : "is another config when it is read back";
  },
};
