/** Takes the first look at a file of the corpus as a curator does, runs what it prints, and judges both. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Run, veilgrid } from "../support/cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { Case } from "./case.ts";

/** `asked`: right, with COL for the curator to fill in. `refused`: by a line that says what to do. `told`: not right, but doubted in a sentence. */
export type Verdict = "right" | "asked" | "refused" | "told" | "wrong";

export interface Judgement {
  readonly name: string;
  readonly verdict: Verdict;
  readonly notes: readonly string[];
}

interface FirstLook {
  readonly guess: Readonly<{ [option: string]: string }>;
  readonly open: ReadonlyArray<{ readonly flag: string; readonly says: string }>;
  readonly doubts: readonly string[];
  readonly command: string;
}

export async function judge(file: Case): Promise<Judgement> {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, "files"));
  for (const [name, content] of Object.entries(file.files)) writeFileSync(path.join(folder, "files", name), content);
  const source = path.join("files", file.source ?? Object.keys(file.files)[0]!);
  const looked = await veilgrid(["survey", source, "--json"], { in: folder });
  if (looked.status !== 0) return refusal(file, looked);
  const look: FirstLook = JSON.parse(looked.stdout).firstLook;
  const said = [...look.open.map(({ says }) => says), ...look.doubts].join("\n");
  const mistakes = mistakesOf(file, look);
  const silences = file.says?.test(said) === false ? [`does not say ${file.says}`] : [];
  const command = filledIn(file, look);
  for (const each of command === undefined ? [] : [command, planOf(command)]) {
    const run = await runPrinted(each, folder);
    if (run.status !== 0 && mistakes.length === 0) return refusal(file, run);
  }
  const isTold = mistakes.every(({ option }) => look.doubts.some((doubt) => doubt.includes(`--${option}`)));
  const wrongly: Verdict = isTold && silences.length === 0 ? "told" : "wrong";
  const rightly: Verdict = look.open.length > 0 ? "asked" : "right";
  const isRight = mistakes.length === 0 && silences.length === 0 && file.refused === undefined;
  return {
    name: file.name,
    verdict: isRight ? rightly : wrongly,
    notes: [
      ...look.open.map(({ flag }) => `asks for --${flag}`),
      ...mistakes.map(({ option, guessed }) => (guessed === undefined ? `no --${option}` : `--${option} ${guessed}`)),
      ...silences,
      ...(file.refused === undefined ? [] : ["is not refused"]),
    ],
  };
}

function refusal({ name, refused }: Case, { stderr }: Run): Judgement {
  const line = stderr.trim().split("\n").at(-1) ?? "";
  const isRight = refused === undefined ? isHelpful(line) : refused.test(line);
  return { name, verdict: isRight ? "refused" : "wrong", notes: [line] };
}

/** Says what to write or to do. */
function isHelpful(line: string): boolean {
  return /--[a-z]|convert|write|save/i.test(line);
}

/** What makes grids: where one of them is asked for, the others may be left out. */
const OF_GRIDS = ["by", "lat", "lon", "time", "time-format", "slot"];

function mistakesOf(
  { right }: Case,
  { guess, open }: FirstLook,
): Array<{ readonly option: string; readonly guessed: string | undefined }> {
  const flags = open.map(({ flag }) => flag);
  const asked = new Set(flags.some((flag) => OF_GRIDS.includes(flag)) ? [...flags, ...OF_GRIDS] : flags);
  return Object.entries(right).flatMap(([option, wanted]) => {
    const guessed = guess[option];
    const isRight = [wanted].flat().includes(guessed ?? null) || (guessed === undefined && asked.has(option));
    return isRight ? [] : [{ option, guessed }];
  });
}

/** The printed command with COL filled in; undefined where there is nothing to write for it. */
function filledIn({ right, fills, adds }: Case, { open, command }: FirstLook): string | undefined {
  let filled = command;
  for (const { flag } of open) {
    const column = fills?.[flag] ?? [right[flag] ?? null].flat().find((each) => each !== null);
    if (column === undefined || column === null) return undefined;
    filled = filled.replace(`--${flag} COL`, `--${flag} '${column}'`);
  }
  return adds === undefined ? filled : `${filled} ${adds}`;
}

/** As the first look prints it below the survey. */
function planOf(command: string): string {
  return `${command.replace("veilgrid survey", "veilgrid plan")} --bounds 0,100 --loss 1`;
}

/** Split into words by a shell, as a pasted command is. */
function runPrinted(command: string, folder: string): Promise<Run> {
  const words = execFileSync("sh", ["-c", `printf '%s\\0' ${command}`], { encoding: "utf8" }).split("\0");
  return veilgrid(words.slice(words.indexOf("veilgrid") + 1, -1), { in: folder });
}
