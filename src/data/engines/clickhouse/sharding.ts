/** Tells from a Distributed table's definition whether each user's rows lie on one shard. */
import { topLevelParts } from "../pipeline/source-checks.ts";

/** Functions that give the same for the same, whatever the time, the server or the row. */
const STEADY = new Set(
  (
    "cityHash64 sipHash64 farmHash64 metroHash64 halfMD5 intHash32 intHash64 murmurHash2_32 murmurHash2_64 murmurHash3_32 " +
    "murmurHash3_64 xxHash32 xxHash64 javaHash hiveHash jumpConsistentHash toString toUInt8 toUInt16 toUInt32 toUInt64 toInt8 toInt16 " +
    "toInt32 toInt64 modulo lower upper lowerUTF8 upperUTF8 assumeNotNull ifNull abs CRC32 MD5 SHA1 SHA256"
  ).split(" "),
);

/** Whether all rows of a user were meant for one shard: the sharding key names no column but the user's. */
export function isShardedBy(engineFull: string, column: string): boolean {
  const key = shardingKey(engineFull);
  if (key === undefined) return false;
  const tokens = key.match(/`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\])*'|[A-Za-z_]\w*|\d+|\S/g) ?? [];
  let named = 0;
  for (const [at, token] of tokens.entries()) {
    if (/^[`A-Za-z_]/.test(token)) {
      if (STEADY.has(token) && tokens[at + 1] === "(") continue;
      if (unquoted(token) !== column || tokens[at + 1] === "(") return false;
      named += 1;
    } else if (!/^(\d+|'.*'|[(),%+*-])$/s.test(token)) return false;
  }
  return named > 0;
}

/** `Distributed(cluster, database, table, key[, policy])`; undefined for another engine, and where there is no key. */
function shardingKey(engineFull: string): string | undefined {
  const inner = /^Distributed\((.*)\)/s.exec(engineFull)?.[1];
  return inner === undefined ? undefined : topLevelParts(inner, /`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\])*'|./gs)[3];
}

function unquoted(token: string): string {
  return token.startsWith("`") ? token.slice(1, -1).replace(/\\(.)/gs, "$1") : token;
}
