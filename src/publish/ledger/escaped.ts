/** Ids of users and parts as databases can keep them: their text knows no NUL and no half surrogate pairs, and two ids must never become one. */

export function escaped(id: string): string {
  return JSON.stringify(id).slice(1, -1);
}

export function unescaped(id: string): string {
  return id.includes("\\") ? (JSON.parse(`"${id}"`) as string) : id;
}
