/** Shows the facts about a grid beside it, within the map. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Point } from "./view.ts";

const GAP = 14;

export function MapTip({ lines, at: [x, y] }: { lines: readonly string[]; at: Point }) {
  const tip = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<Point | null>(null);
  useLayoutEffect(() => {
    const { offsetWidth: width, offsetHeight: height, offsetParent } = tip.current!;
    const limit = { width: offsetParent?.clientWidth ?? 0, height: offsetParent?.clientHeight ?? 0 };
    const left = x + GAP + width <= limit.width ? x + GAP : x - GAP - width;
    const top = y + GAP + height <= limit.height ? y + GAP : y - GAP - height;
    setPlace([
      Math.max(4, Math.min(left, limit.width - width - 4)),
      Math.max(4, Math.min(top, limit.height - height - 4)),
    ]);
  }, [x, y, lines.join("\n")]);
  const style = place === null ? "visibility:hidden" : `transform:translate(${place[0]}px,${place[1]}px)`;
  return (
    <div ref={tip} class="map-tip" aria-hidden="true" style={style}>
      {lines.map((line, index) => (
        <div key={index}>{line}</div>
      ))}
    </div>
  );
}
