/** The pages of a SQLite file and what each is for, so that every kind can be damaged. */
import { readFileSync } from "node:fs";

const KINDS = { 2: "index interior", 5: "table interior", 10: "index leaf", 13: "table leaf" };

/** By kind: where its pages begin in the file. */
export function pagesByKind(file) {
  const bytes = readFileSync(file);
  const size = bytes.readUInt16BE(16) === 1 ? 65536 : bytes.readUInt16BE(16);
  const kinds = new Map();
  const put = (kind, at) => kinds.set(kind, [...(kinds.get(kind) ?? []), at]);
  put("header", 0);
  const free = freePages(bytes, size);
  for (let page = 1; page <= bytes.length / size; page++) {
    const at = (page - 1) * size;
    if (free.has(page)) put("free", at);
    else put(KINDS[bytes[at + (page === 1 ? 100 : 0)]] ?? "overflow", at);
  }
  return { size, kinds };
}

function freePages(bytes, size) {
  const found = new Set();
  for (let trunk = bytes.readUInt32BE(32); trunk !== 0 && !found.has(trunk); ) {
    found.add(trunk);
    const at = (trunk - 1) * size;
    for (let leaf = 0; leaf < bytes.readUInt32BE(at + 4); leaf++) found.add(bytes.readUInt32BE(at + 8 + 4 * leaf));
    trunk = bytes.readUInt32BE(at);
  }
  return found;
}
