/** Types of figure-tables.mjs, for the test that holds docs/reproduction.md to its numbers. */
export function withTables(markdown: string, csvOf: (id: string) => string): string;
export function withSentences(markdown: string, seenIn: (id: string) => string): string;
export function tablesIn(markdown: string): string[];
