/** Estimates how wide a text will be drawn, without a font at hand, and breaks it into lines. */
import { escapeControls } from "../../core/errors/index.ts";

/** In ems: those of Arial Bold, about the widest of the fonts that may come instead of the one asked for. */
const WIDTHS: ReadonlyArray<readonly [characters: RegExp, ems: number]> = [
  [/\p{M}/u, 0],
  [/[ijl|'.,:;I!·\u2019]/u, 0.29],
  [/[ ()[\]{}/\\ftr"\-*]/u, 0.36],
  [/[mw]/u, 0.86],
  [/[MW%@—…∞]/u, 1],
  [/[A-Z&]/u, 0.72],
  [/[\u0020-\u2e7f]/u, 0.58],
];
const OTHERS = 1.3;

/** Looked up once per character. */
const known = new Map<string, number>();

export function textWidth(text: string, size: number): number {
  let ems = 0;
  for (const character of text) ems += known.get(character) ?? widthOf(character);
  return ems * size;
}

/** The width of the widest of some lines; 0 for none. */
export function widestText(lines: readonly string[], size: number): number {
  return Math.max(0, ...lines.map((line) => textWidth(line, size)));
}

function widthOf(character: string): number {
  const ems = WIDTHS.find(([characters]) => characters.test(character))?.[1] ?? OTHERS;
  known.set(character, ems);
  return ems;
}

interface Letters {
  readonly size: number;
  readonly width: number;
}

/** Lines no wider than `width`, broken at spaces and, unless words are to stay whole, inside a word that is wider itself. */
export function brokenText(text: string, { size, width, whole = false }: Letters & { whole?: boolean }): string[] {
  // Control characters will be written as escapes, which are wider.
  const words = text.split(/\s+/u).map(escapeControls);
  const lines: string[] = [];
  let used = Infinity;
  for (const word of whole ? words : words.flatMap((each) => pieces(each, { size, width }))) {
    if (word === "") continue;
    const more = textWidth(word, size);
    const longer = used + textWidth(" ", size) + more;
    if (longer <= width) lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
    used = longer <= width ? longer : more;
  }
  return lines;
}

/** As many lines, all of about the same width. */
export function evenText(text: string, { width, ...letters }: Letters & { whole?: boolean }): string[] {
  let even = brokenText(text, { ...letters, width });
  const count = even.length;
  for (let share = 0.98; count > 1 && share > 0.5; share -= 0.02) {
    const tried = brokenText(text, { ...letters, width: share * width });
    if (tried.length > count) break;
    even = tried;
  }
  return even;
}

/** At most `most` lines; what does not fit ends in an ellipsis. */
export function wrappedText(text: string, { size, width, most }: Letters & { most: number }): string[] {
  const lines = brokenText(text, { size, width });
  if (lines.length <= most) return evenText(text, { size, width });
  return [...lines.slice(0, most - 1), shortened(lines[most - 1] ?? "", { size, width })];
}

function shortened(line: string, { size, width }: Letters): string {
  const characters = [...line];
  while (characters.length > 0 && textWidth(`${characters.join("")}…`, size) > width) characters.pop();
  return `${characters.join("").trimEnd()}…`;
}

function pieces(word: string, { size, width }: Letters): string[] {
  const found = [""];
  let used = 0;
  for (const character of word) {
    const more = textWidth(character, size);
    if (used > 0 && used + more > width) {
      found.push(character);
      used = more;
    } else {
      found[found.length - 1] += character;
      used += more;
    }
  }
  return found;
}
