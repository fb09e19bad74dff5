/** The ledger's messages are those that docs/errors.md shows. */
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { Rational } from "../arithmetic/index.ts";
import type { ErrorCode } from "../errors/index.ts";
import { Ledger } from "./ledger.ts";
import { MemoryStore } from "./memory-store.ts";
import { openLedgerFile } from "./open-ledger-file.ts";

const document = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");

const wish = {
  dataset: "buses",
  key: "2026-01",
  planHash: "4f1d7a9c03b2e6aa",
  header: "",
  parts: ["Main St"],
  chargesOf: () => [["bus 1", 6n * 10n ** 17n]] as const,
};

async function started(): Promise<Ledger> {
  const ledger = new Ledger(new MemoryStore());
  await ledger.init({ dataset: "buses", budget: Rational.ONE, occupancyIsPublic: true });
  await ledger.reserve(wish);
  return ledger;
}

const triggers: Array<[ErrorCode, () => Promise<unknown>]> = [
  ["LEDGER_NOT_FOUND", () => openLedgerFile("ledger.db")],
  ["LEDGER_UNAVAILABLE", () => openLedgerFile(tmpdir())],
  ["LEDGER_CONFLICT", async () => (await started()).init({ ...wish, budget: Rational.ONE, occupancyIsPublic: true })],
  ["BUDGET_EXCEEDED", async () => (await started()).reserve({ ...wish, key: "2026-02" })],
  ["KEY_CONFLICT", async () => (await started()).reserve({ ...wish, planHash: "b07c55e1d2f39a10" })],
  ["RESERVATION_VOID", async () => (await started()).commit({ ...wish, parts: [["Park", "{}"]] })],
];

test.each(triggers)("%s", async (code, trigger) => {
  const error = await trigger().catch((thrown: unknown) => thrown as { code: string; message: string });
  expect(error).toMatchObject({ code });
  const message = (error as { message: string }).message.replace(tmpdir(), "ledgers");
  expect(document).toContain(`| \`${code}\` | \`${message}\` |`);
});
