/** What a ledger does, held for memory and for a file. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe } from "vitest";
import { Ledger, MemoryStore, openLedgerFile } from "../../src/publish/ledger/index.ts";
import { ledgerConformance } from "../support/ledger-conformance.ts";

const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-ledger-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

describe("memory", () => ledgerConformance(async (options) => new Ledger(new MemoryStore(), options)));

describe("sqlite", () =>
  ledgerConformance((options) => openLedgerFile(path.join(folder, `${files++}.db`), { create: true, ...options })));
