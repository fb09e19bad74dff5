/** Counts which other datasets charge some of the same users. */
import type { LedgerState } from "./store.ts";
import { userNaming, usersKeyCheck } from "./user-names.ts";

const USERS_PER_LOOK = 2_000;

export interface Overlap {
  readonly shared: ReadonlyArray<{ readonly dataset: string; readonly users: number }>;
  /** Datasets that keep users as hashes under a key that is not at hand. */
  readonly incomparable: readonly string[];
}

export async function overlapOf(
  state: LedgerState,
  request: {
    readonly dataset: string;
    readonly users: Iterable<string>;
    readonly usersKey: string | undefined;
  },
): Promise<Overlap> {
  const { usersKey } = request;
  const ownCheck = usersKey === undefined ? null : usersKeyCheck(usersKey);
  const others = (await state.datasets()).filter((row) => row.name !== request.dataset);
  const isComparable = (check: string | null): boolean => check === null || check === ownCheck;
  const comparable = others.filter((row) => isComparable(row.usersKeyCheck));
  const counts = comparable.map((row) => ({ dataset: row.name, users: 0, nameOf: userNaming(row, usersKey) }));
  const look = async (users: readonly string[]): Promise<void> => {
    for (const count of counts) {
      const balances = await state.balances(count.dataset, users.map(count.nameOf));
      count.users += balances.filter((units) => units > 0n).length;
    }
  };
  let chunk: string[] = [];
  for (const user of request.users) {
    chunk.push(user);
    if (chunk.length < USERS_PER_LOOK) continue;
    await look(chunk);
    chunk = [];
  }
  await look(chunk);
  return {
    shared: counts.filter(({ users }) => users > 0).map(({ dataset, users }) => ({ dataset, users })),
    incomparable: others.filter((row) => !isComparable(row.usersKeyCheck)).map((row) => row.name),
  };
}
