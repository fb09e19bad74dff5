/** Addresses of ledgers that nobody else uses: each a schema of its own on the tests' server. */
import { randomUUID } from "node:crypto";
import { PostgresStore } from "../../../src/publish/ledger/index.ts";
import { placeOf } from "../../../src/publish/ledger/open-ledger.ts";
import { postgresAddress } from "./servers.ts";

export function newAddress(server: string = postgresAddress()): string {
  return `${server}?schema=${encodeURIComponent(`"ledger" ${randomUUID()}`)}`;
}

/** The store itself, for what a ledger hides. */
export async function openStore(address: string, options: { readonly create?: boolean } = {}): Promise<PostgresStore> {
  return (await PostgresStore.open({ ...options, ...(await placeOf(address)) }))!;
}
