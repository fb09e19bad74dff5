/** Names users in a dataset: by their ids, or by hashes that only the holder of a key can make. */
import { createHmac } from "node:crypto";
import { VeilgridError } from "../../core/errors/index.ts";
import type { DatasetRow } from "./store.ts";

const SHORTEST_KEY = 16;

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
