/** Other ledgers in the folder of one: copies of it, older or newer, and others for the same people. */
import { readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { quoteForMessage } from "../../../core/errors/index.ts";
import { isBusy, isLedgerAddress, type Ledger, openLedgerFile } from "../../../publish/ledger/index.ts";
import { firstPage, isDatabase } from "../write-file.ts";

/** Of more ledgers than these the newest are looked at. */
const MOST_LEDGERS = 64;
/** Who is at work on the other one is not waited for long. */
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

/** Says that a copy of this ledger beside it holds changes that it lacks, or may, as it cannot be read; undefined if none does. */
export async function newerLedgerBeside(ledger: Ledger, place: string): Promise<string | undefined> {
  const [found] = await eachLedgerBeside(
    place,
    undefined,
    async (other, name) => ((await relationOf(ledger, other)) === "newer" ? [newerText(name)] : []),
    (name, trouble) => [`${name} beside this ledger may be a copy of it with changes that this one lacks (${trouble})`],
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
  unread: (name: string, trouble: string) => string[] = () => [],
): Promise<string[]> {
  if (isLedgerAddress(place)) return [];
  const warnings: string[] = [];
  for (const file of await ledgerFilesBeside(place)) {
    const name = quoteForMessage(path.basename(file));
    try {
      await using other = await openLedgerFile(file, { readOnly: true, busyMs: BUSY_MS, usersKey });
      warnings.push(...(await look(other, name)));
    } catch (error) {
      // A damaged one, or one of another version, cannot be gone on with either.
      if (isBusy((error as Error).cause)) warnings.push(...unread(name, "it is locked by another process"));
    }
  }
  return warnings;
}

async function ledgerFilesBeside(place: string): Promise<string[]> {
  const own = await stat(place).catch(() => undefined);
  const real = await realpath(place).catch(() => place);
  const folders = new Set([place, real].map((each) => path.dirname(path.resolve(each))));
  const found: Array<{ readonly file: string; readonly changedMs: number }> = [];
  const names = [...folders].map(async (folder) =>
    (await readdir(folder).catch(() => [])).map((name) => path.join(folder, name)),
  );
  for (const file of (await Promise.all(names)).flat()) {
    const facts = await stat(file).catch(() => undefined);
    if (facts?.isFile() !== true || (facts.ino === own?.ino && facts.dev === own.dev)) continue;
    if (await isLedgerFile(file)) found.push({ file, changedMs: facts.mtimeMs });
  }
  found.sort((one, other) => other.changedMs - one.changedMs);
  return found.slice(0, MOST_LEDGERS).map(({ file }) => file);
}

/** Read from its first page: opening other people's databases could change them. */
async function isLedgerFile(file: string): Promise<boolean> {
  const page = await firstPage(file);
  return (
    isDatabase(page) &&
    ["balances", "reservations", "journal"].every((table) => page.includes(`CREATE TABLE ${table} (`))
  );
}
