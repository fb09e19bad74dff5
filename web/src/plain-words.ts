/** Rewords sentences of the command line for people who do not use one. */

/** Flags are left out, with what only makes sense beside them. */
export function plainWords(sentence: string): string {
  return (
    sentence
      // Where a file lies on the service is of no use to anyone here.
      .replace(/'[^']*\/([^'/]+)'/g, "'$1'")
      .replace(/ with --[a-z0-9-]+ COL\b/g, "")
      .replace(/ \(--[a-z0-9-]+\)/g, "")
      .replace(/; '?veilgrid survey FILE'? alone lists the columns and guesses/g, "")
      .replace(/--([a-z0-9-]+) is missing: /g, "something is missing: ")
      .replace(/; say what stands between fields with --delimiter.*$/, "; say below what stands between fields.")
      .replace(/--[a-z0-9-]+ (COL )?(?=\S)/g, "")
      .replace(/^body\/[\w/]+ /, "")
      .replace(/\s+([.;,])(?=\s|$)/g, "$1")
  );
}

/** The first flag that a sentence names, without its dashes. */
export function flagIn(sentence: string): string | undefined {
  return /--([a-z0-9-]+)/.exec(sentence)?.[1];
}
