/** About how wide a text will be drawn, without a font at hand, and where to break it. */

/** In ems: rather the widest of the fonts that may be there than the one that ought to be. */
const WIDTHS: ReadonlyArray<readonly [characters: RegExp, ems: number]> = [
  [/\p{M}/u, 0],
  [/[ijl|'.,:;I!·\u2019]/u, 0.29],
  [/[ ()[\]{}/\\ftr"\-*]/u, 0.37],
  [/[A-Z&]/u, 0.72],
  [/[mw]/u, 0.86],
  [/[MW%@—…∞]/u, 1],
  [/[\u0020-\u2e7f]/u, 0.59],
];
const OTHERS = 1.3;

export function textWidth(text: string, size: number): number {
  let ems = 0;
  for (const character of text) ems += WIDTHS.find(([characters]) => characters.test(character))?.[1] ?? OTHERS;
  return ems * size;
}

/** Lines no wider than `width`, broken at spaces and, where one word is wider, inside it. */
export function brokenText(text: string, { size, width }: { size: number; width: number }): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/u).flatMap((each) => pieces(each, { size, width }))) {
    const longer = `${lines[lines.length - 1]} ${word}`;
    if (lines.length > 0 && textWidth(longer, size) <= width) lines[lines.length - 1] = longer;
    else if (word !== "") lines.push(word);
  }
  return lines;
}

/** At most `most` lines of about the same width; what does not fit ends in an ellipsis. */
export function wrappedText(
  text: string,
  { size, width, most }: { size: number; width: number; most: number },
): string[] {
  const lines = brokenText(text, { size, width });
  if (lines.length > most) return [...lines.slice(0, most - 1), shortened(lines[most - 1]!, { size, width })];
  let even = lines;
  for (let narrower = width - 5; narrower > width / 2; narrower -= 5) {
    const tried = brokenText(text, { size, width: narrower });
    if (tried.length > lines.length) break;
    even = tried;
  }
  return even;
}

function shortened(line: string, { size, width }: { size: number; width: number }): string {
  const characters = [...line];
  while (characters.length > 0 && textWidth(`${characters.join("")}…`, size) > width) characters.pop();
  return `${characters.join("").trimEnd()}…`;
}

function pieces(word: string, { size, width }: { size: number; width: number }): string[] {
  const found = [""];
  for (const character of word) {
    const longer = found[found.length - 1] + character;
    if (longer !== character && textWidth(longer, size) > width) found.push(character);
    else found[found.length - 1] = longer;
  }
  return found;
}
