/** Other ledgers in the folder of one: copies of it, older or newer, and others for the same people. */
import { open, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { quoteForMessage } from "../../errors/index.ts";
import { isLedgerAddress, type Ledger, openLedgerFile } from "../../ledger/index.ts";

/** Of more ledgers than these the newest are looked at. */
const MOST_LEDGERS = 64;
const PAGE_BYTES = 4096;
/** Who is at work on the other one is not waited for. */
const BUSY_MS = 200;

/** Datasets that are called like a new one, in other ledgers beside its own. */
export async function sameNameBeside(place: string, dataset: string): Promise<string[]> {
  return eachLedgerBeside(place, undefined, async (other, name) =>
    (await other.datasets()).some((each) => each.dataset === dataset)
      ? [
          `${name} beside this ledger has a dataset ${quoteForMessage(dataset)} already; if it is about the same people, use that ledger: in two of them they may lose twice the budget`,
        ]
      : [],
  );
}

/** Says that a copy of this ledger beside it holds changes that it lacks; undefined if none does. */
export async function newerLedgerBeside(ledger: Ledger, place: string): Promise<string | undefined> {
  const [found] = await eachLedgerBeside(place, undefined, async (other, name) =>
    (await relationOf(ledger, other)) === "newer" ? [newerText(name)] : [],
  );
  return found;
}

function newerText(name: string): string {
  return `${name} beside this ledger is a copy of it with changes that this one lacks`;
}

/** What other ledgers beside this one say about the people it is about to charge. */
export async function ledgersBeside(
  ledger: Ledger,
  asked: {
    readonly place: string;
    readonly dataset: string;
    readonly users: Iterable<string>;
    readonly usersKey: string | undefined;
  },
): Promise<string[]> {
  const { place, dataset, users, usersKey } = asked;
  return eachLedgerBeside(place, usersKey, async (other, name) => {
    const relation = await relationOf(ledger, other);
    if (relation !== "another") return relation === "newer" ? [newerText(name)] : [];
    // A dataset cannot be called nothing, so none is left out.
    const { shared } = await other.overlap({ dataset: "", users });
    const named = (await other.datasets()).some((each) => each.dataset === dataset);
    const charged = shared.reduce((most, each) => Math.max(most, each.users), 0);
    if (charged === 0 && !named) return [];
    const what = [
      ...(charged === 0 ? [] : [`charges ${charged.toLocaleString("en-US")} of the same users`]),
      ...(named ? [`has a dataset ${quoteForMessage(dataset)} too`] : []),
    ];
    return [
      `another ledger beside this one, ${name}, ${what.join(" and ")}; losses in two ledgers add up and no budget covers the sum, so keep one ledger for one group of people`,
    ];
  });
}

/** Copies have their first line in common. Each line's hash covers all before it, so a backup's last line is in the ledger, too. */
async function relationOf(ledger: Ledger, other: Ledger): Promise<"backup" | "newer" | "another"> {
  const last = await other.journalAt();
  if (last === undefined || (await ledger.journalAt(1))?.hash !== (await other.journalAt(1))?.hash) return "another";
  return (await ledger.journalAt(last.line))?.hash === last.hash ? "backup" : "newer";
}

async function eachLedgerBeside(
  place: string,
  usersKey: string | undefined,
  look: (other: Ledger, name: string) => Promise<string[]>,
): Promise<string[]> {
  if (isLedgerAddress(place)) return [];
  const warnings: string[] = [];
  for (const file of await ledgerFilesBeside(place)) {
    try {
      await using other = await openLedgerFile(file, { readOnly: true, busyMs: BUSY_MS, usersKey });
      warnings.push(...(await look(other, quoteForMessage(path.basename(file)))));
    } catch {
      // One that cannot be read now says nothing; it is not the ledger that was asked for.
    }
  }
  return warnings;
}

async function ledgerFilesBeside(place: string): Promise<string[]> {
  const folder = path.dirname(path.resolve(place));
  const own = await stat(place).catch(() => undefined);
  const found: Array<{ readonly file: string; readonly changedMs: number }> = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    const facts = await stat(file).catch(() => undefined);
    if (facts?.isFile() !== true || (facts.ino === own?.ino && facts.dev === own.dev)) continue;
    if (await isLedgerFile(file)) found.push({ file, changedMs: facts.mtimeMs });
  }
  found.sort((one, other) => other.changedMs - one.changedMs);
  return found.slice(0, MOST_LEDGERS).map(({ file }) => file);
}

/** Told from its first page: opening other people's databases could change them. */
async function isLedgerFile(file: string): Promise<boolean> {
  try {
    await using handle = await open(file, "r");
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(PAGE_BYTES), 0, PAGE_BYTES, 0);
    const page = buffer.toString("latin1", 0, bytesRead);
    // Bytes 18 and 19 are 1 where no log lies beside the file, as none does beside a ledger.
    return (
      page.startsWith("SQLite format 3\0\u0010\0\u0001\u0001") &&
      ["balances", "reservations", "journal"].every((table) => page.includes(`CREATE TABLE ${table} (`))
    );
  } catch {
    return false;
  }
}
