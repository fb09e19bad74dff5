/** Verifies a ledger: replays the journal and compares the outcome with the rows. */
import { createHash } from "node:crypto";
import { escapeControls } from "../../core/errors/index.ts";
import { balancePages, chargeChunks } from "./charges.ts";
import { chainHash, type JournalLine, journalRows, readLine } from "./journal.ts";
import { larger } from "./loss-units.ts";
import { isGrid } from "./parts.ts";
import type { DatasetRow, LedgerState, PartRow, ReleaseRow } from "./store.ts";
import { sha256 } from "./stored-text.ts";

const TEXTS_PAGE = 200;

export interface Verification {
  readonly consistent: boolean;
  /** One line each; users are not named. */
  readonly problems: readonly string[];
  readonly counts: Readonly<Record<"datasets" | "releases" | "parts" | "users" | "lines", number>>;
}

/** What the journal says of a dataset. */
interface Expected extends Pick<DatasetRow, "created" | "usersKeyCheck"> {
  budget: bigint;
  readonly balances: Map<string, bigint>;
  readonly releases: Map<string, ExpectedRelease>;
}

interface ExpectedRelease extends Pick<ReleaseRow, "created" | "planHash"> {
  readonly headerSha256: string;
  readonly parts: Map<string, Pick<PartRow, "state" | "reservation" | "sha256">>;
  readonly reservations: Map<number, { readonly users: number; readonly largest: string; refunded: boolean }>;
}

type LineOf<Kind extends JournalLine["kind"]> = Extract<JournalLine, { readonly kind: Kind }>;
type Report = (what: string) => void;

export async function verifyState(state: LedgerState): Promise<Verification> {
  const replay = new Replay(state);
  if (!(await state.isSound())) replay.report("the file is damaged: restore it from a backup");
  await replay.run();
  await replay.compare();
  const expected = [...replay.datasets.values()];
  const releases = expected.flatMap((each) => [...each.releases.values()]);
  return {
    consistent: replay.problems.length === 0,
    problems: replay.problems,
    counts: {
      datasets: expected.length,
      releases: releases.length,
      parts: releases.reduce((total, { parts }) => total + [...parts.keys()].filter(isGrid).length, 0),
      users: expected.reduce((total, each) => total + each.balances.size, 0),
      lines: replay.lines,
    },
  };
}

class Replay {
  readonly datasets = new Map<string, Expected>();
  readonly problems: string[] = [];
  lines = 0;
  readonly #state: LedgerState;

  constructor(state: LedgerState) {
    this.#state = state;
  }

  /** Names in it may be anything, and are printed. */
  report(problem: string): void {
    this.problems.push(escapeControls(problem));
  }

  async run(): Promise<void> {
    let previous: string | undefined;
    for await (const row of journalRows(this.#state)) {
      this.lines += 1;
      if (row.line !== this.lines) {
        this.report(`journal line ${this.lines} is missing`);
        this.lines = row.line;
      }
      if (row.hash !== chainHash(previous, row.text))
        this.report(`journal line ${row.line} does not follow from the line before it`);
      previous = row.hash;
      try {
        await this.#apply(row.line, readLine(row));
      } catch {
        this.report(`journal line ${row.line} cannot be read`);
      }
    }
  }

  async #apply(number: number, line: JournalLine): Promise<void> {
    const report: Report = (what) => this.report(`journal line ${number}: ${what}`);
    const expected = this.datasets.get(line.dataset);
    if (line.kind === "init") {
      if (expected !== undefined) report(`dataset '${line.dataset}' is made twice`);
      const { time: created, usersKeyCheck } = line;
      const budget = BigInt(line.budget);
      this.datasets.set(line.dataset, { created, budget, usersKeyCheck, balances: new Map(), releases: new Map() });
      return;
    }
    if (expected === undefined) return report(`dataset '${line.dataset}' was never made`);
    if (line.kind === "raise") {
      if (BigInt(line.budget) <= expected.budget) report("a budget goes down");
      expected.budget = BigInt(line.budget);
      return;
    }
    if (line.kind === "reserve") return this.#applyReserve(number, line, expected, report);
    const release = expected.releases.get(line.key);
    if (release === undefined) return report(`release '${line.key}' was never reserved`);
    if (line.kind === "void") return this.#applyVoid(line, { expected, release, report });
    for (const [part, hash] of line.parts) {
      const row = release.parts.get(part);
      if (row?.state !== "reserved") report(`part '${part}' is committed without a reservation`);
      else release.parts.set(part, { ...row, state: "committed", sha256: hash });
    }
  }

  async #applyReserve(number: number, line: LineOf<"reserve">, expected: Expected, report: Report): Promise<void> {
    const { time: created, planHash, headerSha256, users, largest } = line;
    const made: ExpectedRelease = { created, planHash, headerSha256, parts: new Map(), reservations: new Map() };
    const release = expected.releases.get(line.key) ?? made;
    if (release.planHash !== planHash) report(`release '${line.key}' has two plans`);
    expected.releases.set(line.key, release);
    for (const part of line.parts) {
      if ((release.parts.get(part)?.state ?? "void") !== "void") report(`part '${part}' is charged twice`);
      release.parts.set(part, { state: "reserved", reservation: number, sha256: null });
    }
    release.reservations.set(number, { users, largest, refunded: false });
    const found = await this.#addCharges(number, { line, expected, sign: 1n });
    if (found.sha256 !== line.chargesSha256 || found.users !== users || String(found.largest) !== largest)
      report("its charges are not those that were recorded");
    if (found.isAbove) report("a user's loss is above the budget");
  }

  async #applyVoid(
    line: LineOf<"void">,
    { expected, release, report }: { expected: Expected; release: ExpectedRelease; report: Report },
  ): Promise<void> {
    for (const part of line.parts) {
      const row = release.parts.get(part);
      if (row?.state !== "reserved") report(`part '${part}' is given up without being pending`);
      else release.parts.set(part, { ...row, state: "void" });
    }
    for (const id of line.reservations) {
      const reservation = release.reservations.get(id);
      if (reservation?.refunded !== false) report(`reservation ${id} is refunded without being paid`);
      if (reservation !== undefined) reservation.refunded = true;
      await this.#addCharges(id, { line, expected, sign: -1n });
    }
    for (const row of release.parts.values())
      if (row.state === "committed" && release.reservations.get(row.reservation)?.refunded)
        report("a committed part was refunded");
  }

  async #addCharges(
    id: number,
    { line, expected, sign }: { line: LineOf<"reserve" | "void">; expected: Expected; sign: 1n | -1n },
  ) {
    const { balances, budget } = expected;
    const row = (await this.#state.reservations(line.dataset, line.key)).find((each) => each.id === id);
    const hash = createHash("sha256");
    let [users, largest, isAbove] = [0, 0n, false];
    for await (const { text, charges } of chargeChunks(this.#state, { id, chunks: row?.chunks ?? 0 })) {
      hash.update(text);
      users += charges.size;
      for (const [user, units] of charges) {
        const balance = (balances.get(user) ?? 0n) + sign * units;
        balances.set(user, balance);
        largest = larger(largest, units);
        if (balance > budget) isAbove = true;
      }
    }
    return { sha256: hash.digest("hex"), users, largest, isAbove };
  }

  /** Whatever the rows say must follow from the journal, and the other way round. */
  async compare(): Promise<void> {
    const rows = await this.#state.datasets();
    this.#differ("datasets", rows.length, this.datasets.size);
    for (const row of rows) {
      const name = `dataset '${row.name}'`;
      const expected = this.datasets.get(row.name);
      if (expected === undefined) {
        this.report(`${name} is not in the journal`);
        continue;
      }
      this.#differ(`${name}: made`, row.created, expected.created);
      this.#differ(`${name}: budget`, row.budget, expected.budget);
      this.#differ(`${name}: check of the users' key`, row.usersKeyCheck, expected.usersKeyCheck);
      await this.#compareBalances(row.name, expected);
      await this.#compareReleases(row.name, expected);
    }
  }

  async #compareBalances(dataset: string, expected: Expected): Promise<void> {
    let seen = 0;
    let wrong = 0;
    for await (const page of balancePages(this.#state, dataset)) {
      seen += page.length;
      wrong += page.filter(([user, units]) => expected.balances.get(user) !== units).length;
    }
    this.#differ(`dataset '${dataset}': balances`, seen, expected.balances.size);
    if (wrong > 0) this.report(`dataset '${dataset}': ${wrong} balances do not follow from the journal`);
  }

  async #compareReleases(dataset: string, expected: Expected): Promise<void> {
    const rows = await this.#state.releases(dataset);
    this.#differ(`dataset '${dataset}': releases`, rows.length, expected.releases.size);
    // The first decides what the others have to go with.
    this.#differ(`dataset '${dataset}': first release`, rows[0]?.key, [...expected.releases.keys()][0]);
    for (const row of rows) {
      const name = `release '${row.key}'`;
      const release = expected.releases.get(row.key);
      if (release === undefined) {
        this.report(`${name} is not in the journal`);
        continue;
      }
      this.#differ(`${name}: made`, row.created, release.created);
      this.#differ(`${name}: plan`, row.planHash, release.planHash);
      this.#differ(`${name}: hash of the header`, sha256(row.header), release.headerSha256);
      await this.#compareParts(dataset, row.key, release);
      for (const reservation of await this.#state.reservations(dataset, row.key)) {
        const made = release.reservations.get(reservation.id);
        this.#differ(`${name}: refund`, reservation.refunded, made?.refunded);
        this.#differ(`${name}: charged users`, reservation.users, made?.users);
        this.#differ(`${name}: largest charge`, String(reservation.largest), made?.largest);
      }
    }
  }

  async #compareParts(dataset: string, key: string, release: ExpectedRelease): Promise<void> {
    const rows = await this.#state.parts(dataset, key);
    this.#differ(`release '${key}': parts`, rows.length, release.parts.size);
    for (const row of rows) {
      const name = `release '${key}', part '${row.part}'`;
      const expected = release.parts.get(row.part);
      this.#differ(`${name}: state`, row.state, expected?.state);
      this.#differ(`${name}: reservation`, row.reservation, expected?.reservation);
      this.#differ(`${name}: recorded hash`, row.sha256, expected?.sha256);
    }
    const committed = rows.filter((row) => row.state === "committed").map((row) => row.part);
    while (committed.length > 0) {
      const parts = committed.splice(0, TEXTS_PAGE);
      const texts = await this.#state.texts(dataset, key, parts);
      for (const part of parts) {
        const text = texts.get(part)?.text;
        if (text === undefined || sha256(text) !== release.parts.get(part)?.sha256)
          this.report(`release '${key}', part '${part}': its text is not the one that was committed`);
      }
    }
  }

  #differ(what: string, found: unknown, expected: unknown): void {
    if (found !== expected) this.report(`${what}: ${found} found, ${expected} by the journal`);
  }
}
