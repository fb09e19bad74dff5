/** Hands a dropped file from one page to the next: addresses cannot carry it. */

let held: File | undefined;

export function keepDroppedFile(file: File): void {
  held = file;
}

export function takeDroppedFile(): File | undefined {
  const file = held;
  held = undefined;
  return file;
}
