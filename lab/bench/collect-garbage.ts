/** Memory that nobody holds is given back before it is measured. */

/** External memory is given back a turn after the collection that found it unused. */
export async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
