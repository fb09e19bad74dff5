/** Which releases were begun here by a click: remembered by the tab, so that they are still ours after it was loaded again. */

const keptAs = (dataset: string): string => `veilgrid-release-${dataset}`;

export function rememberRelease(dataset: string, job: string): void {
  sessionStorage.setItem(keptAs(dataset), job);
}

export function isOwnRelease(dataset: string, job: string): boolean {
  return sessionStorage.getItem(keptAs(dataset)) === job;
}
