export function proofsOf(files: ReadonlyMap<string, string>): {
  readonly text: string;
  readonly problems: readonly string[];
};
export function readFiles(): Map<string, string>;
