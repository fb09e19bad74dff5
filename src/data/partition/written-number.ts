/** The grammar of numbers written as text, for columns of text in any engine and for the first look's samples. */

/**
 * The grammar of numbers, the same in every engine.
 *
 *     number = blanks [sign] (digits ["." [digits]] | "." digits) [("e" | "E") [sign] digits] blanks
 *
 * Digits are ASCII, a sign is + or -, and what stands between the blanks has at most `longest` characters. The number is the
 * double nearest to what is written; text beyond the largest double is no number. Text with nothing but blanks, NaN in any case
 * and with any sign, and the words of `none` in any case say that there is no value: na, n/a, n.a., #n/a, null, none, \N, - and --.
 * Everything else is refused: 1_000, 0x10, 1,5, 1f, inf.
 *
 * The patterns are regular expressions that JavaScript and all engines read alike; none of them contains the blanks.
 */
export const WRITTEN_NUMBER = {
  blanks: " \t\n\r\f\v",
  pattern: "[+-]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eE][+-]?[0-9]+)?",
  none: "(?:[+-]?[nN][aA][nN]|#?[nN]/?[aA]|[nN][.][aA][.]|[nN][uU][lL][lL]|[nN][oO][nN][eE]|[\\\\]N|--?)",
  longest: 1000,
} as const;

const BLANKS = new RegExp(`^[${WRITTEN_NUMBER.blanks}]+|[${WRITTEN_NUMBER.blanks}]+$`, "g");
const NUMBER = new RegExp(`^${WRITTEN_NUMBER.pattern}$`);
const NONE = new RegExp(`^(?:${WRITTEN_NUMBER.none})?$`);

export function withoutBlanks(text: string): string {
  return text.replace(BLANKS, "");
}

/** Whether the text is of this form; the number may still lie beyond the largest double. */
export function isWrittenNumber(text: string): boolean {
  const written = withoutBlanks(text);
  return written.length <= WRITTEN_NUMBER.longest && NUMBER.test(written);
}

export function isNoNumber(text: string): boolean {
  return NONE.test(withoutBlanks(text));
}
