/** A file of the corpus, and what is right about it. */

export interface Case {
  readonly name: string;
  /** File names and what is in them. */
  readonly files: Readonly<{ [name: string]: string | Uint8Array }>;
  /** What `survey` is asked about; the only file, unless it says otherwise. */
  readonly source?: string;
  /** What each option should be, guessed or asked for; null: it should be absent. Several: any of them. */
  readonly right: Readonly<{ [option: string]: string | null | ReadonlyArray<string | null> }>;
  /** What is written for COL where nothing is right, so that the command can be run. */
  readonly fills?: Readonly<{ [option: string]: string }>;
  /** What the first look must say. */
  readonly says?: RegExp;
  /** The line with which the file must be refused. */
  readonly refused?: RegExp;
  /** Options that a curator who has read what is said adds. */
  readonly adds?: string;
}
