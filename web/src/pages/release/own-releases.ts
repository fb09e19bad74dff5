/** Remembers in the tab which releases were begun here, so that they are still ours after it is reloaded. */

const keptAs = (dataset: string): string => `veilgrid-release-${dataset}`;

export function rememberRelease(dataset: string, job: string): void {
  sessionStorage.setItem(keptAs(dataset), job);
}

export function isOwnRelease(dataset: string, job: string): boolean {
  return sessionStorage.getItem(keptAs(dataset)) === job;
}
