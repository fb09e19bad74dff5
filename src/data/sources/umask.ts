/** Modes of new files in a program of ours: private, such as what an engine spills, unless somebody asked for the file. */

let usersMask: number | undefined;

/** From here on new files of this process are for their owner only: nothing else tells an engine how to create its files. For programs, not for a library. */
export function keepNewFilesPrivate(): void {
  usersMask ??= process.umask(0o077);
}

/** The mode that the user's own umask gives a new file or folder; undefined where it is in force anyway. */
export function modeByUsersMask(mode: number): number | undefined {
  return usersMask === undefined ? undefined : mode & ~usersMask;
}
