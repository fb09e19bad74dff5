/** What a ledger does, held for memory and for a file. */
import path from "node:path";
import { describe } from "vitest";
import { Ledger, MemoryStore, openLedgerFile } from "../../src/publish/ledger/index.ts";
import { ledgerConformance } from "../support/ledger-conformance.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
let files = 0;

describe("memory", () => ledgerConformance(async (options) => new Ledger(new MemoryStore(), options)));

describe("sqlite", () =>
  ledgerConformance((options) => openLedgerFile(path.join(folder, `${files++}.db`), { create: true, ...options })));
