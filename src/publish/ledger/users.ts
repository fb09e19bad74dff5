/** Names users in a dataset, by their ids or by hashes that only the holder of a key can make, and counts users that datasets share. */
import { createHmac } from "node:crypto";
import { VeilgridError } from "../../core/errors/index.ts";
import type { DatasetRow, LedgerState } from "./store.ts";

const SHORTEST_KEY = 16;
const USERS_PER_LOOK = 2_000;

/** The same for the same key, so that datasets under one key can be compared. */
export function usersKeyCheck(usersKey: string | undefined): string {
  return keyed(checkedKey(usersKey), "check:");
}

function checkedKey(usersKey: string | undefined): string {
  if (usersKey === undefined)
    throw new VeilgridError(
      "USAGE",
      "users kept as hashes need the curator's secret key; give the same one every time",
    );
  if (usersKey.length < SHORTEST_KEY)
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `the users' key has ${usersKey.length} characters; ids could be guessed, so give it at least ${SHORTEST_KEY}`,
    );
  return usersKey;
}

/** From a user's id to the name that a dataset keeps; refuses a key that is not the dataset's. */
export function userNaming(dataset: DatasetRow, usersKey: string | undefined): (user: string) => string {
  if (dataset.usersKeyCheck === null) return (user) => user;
  const key = checkedKey(usersKey);
  if (usersKeyCheck(key) !== dataset.usersKeyCheck)
    throw new VeilgridError(
      "LEDGER_CONFLICT",
      `dataset '${dataset.name}' keeps its users under another key; give the key it was made with`,
    );
  return (user) => keyed(key, `user:${user}`);
}

function keyed(key: string, text: string): string {
  return createHmac("sha256", key).update(text).digest("hex");
}

export interface Overlap {
  readonly shared: ReadonlyArray<{ readonly dataset: string; readonly users: number }>;
  /** Datasets that keep users as hashes under a key that is not at hand. */
  readonly incomparable: readonly string[];
}

/** Which other datasets charge some of the same users. */
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
