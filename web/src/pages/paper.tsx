/** To come. */
export function PaperPage({ figure }: { figure: string | null; query: URLSearchParams }) {
  return <div class="page">{figure}</div>;
}
