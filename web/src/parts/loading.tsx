/** Something is on its way: told at once to those who listen, shown only if it takes a moment. */
export function Loading({ what, progress }: { what: string; progress?: string | undefined }) {
  return (
    <div class="loading" role="status">
      <span class="spinner" aria-hidden="true" />
      <span>
        Loading {what}… {progress ?? ""}
      </span>
    </div>
  );
}
