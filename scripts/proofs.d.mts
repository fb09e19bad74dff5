export function troubles(read: (file: string) => string): string[];
export function rowsOf(text: string): Array<{ readonly name: string; readonly file: string }>;
