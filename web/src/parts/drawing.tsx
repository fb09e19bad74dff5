/** Shows a chart of `charts/`, which is SVG text with everything in it escaped. */
export function Drawing({ svg, class: extra }: { svg: string; class?: string | undefined }) {
  // charts/ escapes whatever it is given (tested there).
  return <div class={extra === undefined ? "drawing" : `drawing ${extra}`} dangerouslySetInnerHTML={{ __html: svg }} />;
}
