/** Flags that say which ledger, the same in every command that touches one. */
import type { LedgerFlags } from "../operations/index.ts";
import { type CommandOption, type OptionValues, textOption } from "./command.ts";

export const LEDGER_OPTION: CommandOption = {
  flags: "--ledger <place>",
  description: "where budgets are kept: a file, or postgres://user@host/database",
};
export const DATASET_OPTION: CommandOption = { flags: "--dataset <name>", description: "whose budget it is" };
export const USERS_KEY_OPTION: CommandOption = {
  flags: "--users-key <file>",
  description: "file with a secret: users are kept as hashes under it, in `ledger init` and ever after",
};
export const JSON_OPTION: CommandOption = { flags: "--json", description: "print it as JSON" };

export function ledgerFlags(options: OptionValues): LedgerFlags {
  return {
    ledger: textOption(options, "ledger"),
    dataset: textOption(options, "dataset"),
    usersKey: textOption(options, "usersKey"),
  };
}
