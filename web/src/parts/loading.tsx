/** Says that something is loading: at once to screen readers, on screen only if it takes a moment. */
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
