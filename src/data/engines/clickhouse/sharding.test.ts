/** Which sharding keys keep a user on one shard. */
import { expect, test } from "vitest";
import { isShardedBy } from "./sharding.ts";

test.each([
  ["Distributed(c, d, t, cityHash64(who))", true],
  ["Distributed('c', 'd', 't', sipHash64(`who`) % 16, 'policy') SETTINGS fsync_after_insert = 1", true],
  ["Distributed(c, d, t, who)", true],
  ["Distributed(c, d, t, intHash64(ifNull(who, 0)))", true],
  ["Distributed(c, d, t, cityHash64(ifNull(who, '')))", true],
  ["Distributed(c, d, t, jumpConsistentHash(cityHash64(who), 4))", true],
  ["Distributed(c, d, t)", false],
  ["Distributed(c, d, t, rand())", false],
  ["Distributed(c, d, t, cityHash64(who, day))", false],
  ["Distributed(c, d, t, cityHash64(who) + rand())", false],
  ["Distributed(c, d, t, now())", false],
  ["Distributed(c, d, t, 1)", false],
  ["Distributed(c, d, t, who())", false],
  ["Distributed(c, d, t, cityHash64('who'))", false],
  ["Distributed(c, d, t, dictGet('who', 'who', who))", false],
  ["MergeTree ORDER BY cityHash64(who)", false],
])("%s", (engine, isByUser) => {
  expect(isShardedBy(engine, "who")).toBe(isByUser);
});

test("names that need quotes", () => {
  expect(isShardedBy("Distributed(c, d, t, cityHash64(`my \\`user, (x)`))", "my `user, (x)")).toBe(true);
  expect(isShardedBy("Distributed(c, d, t, cityHash64(`my user`))", "user")).toBe(false);
});
