/** Handles pointer, zoom, arrow keys and screen readers for a map, around whichever drawing shows it. */

import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { itemAt } from "../../../src/core/errors/index.ts";
import { arrowNeighbour, type Direction } from "./arrow-neighbour.ts";
import type { HexagonsHandle, HexagonsProps } from "./hexagons.ts";
import { MapTip } from "./map-tip.tsx";
import { ScaleBar } from "./scale-bar.tsx";
import type { Point } from "./view.ts";

export interface HexagonStageProps
  extends Omit<HexagonsProps, "marked" | "onHover" | "onPick" | "onView" | "handle" | "chosen"> {
  readonly Drawing: ComponentType<HexagonsProps>;
  readonly label: string;
  readonly chosen: number | null;
  linesOf(hexagon: number): readonly string[];
  onChoose(hexagon: number | null): void;
  /** To the layer before or after. */
  onStep(by: -1 | 1): void;
}

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};
const PAN: Readonly<Record<Direction, Point>> = { left: [60, 0], right: [-60, 0], up: [0, 60], down: [0, -60] };
const ZOOM_STEP = 1.5;

let stages = 0;

export function HexagonStage(props: HexagonStageProps) {
  const { Drawing, label, plane, shown, chosen, linesOf, onChoose, onStep } = props;
  const [name] = useState(() => {
    stages += 1;
    return `map-${stages}`;
  });
  const box = useRef<HTMLDivElement>(null);
  const handle = useRef<HexagonsHandle | null>(null);
  const [hover, setHover] = useState<{ hexagon: number; at: Point } | null>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  const [isFocused, setFocused] = useState(false);
  const [kilometresPerPixel, setScale] = useState(0);
  const [, setRound] = useState(0);
  const choose = (hexagon: number): void => onChoose(hexagon === chosen ? null : hexagon);

  useEffect(() => setCursor(null), [shown]);
  useEffect(() => {
    if (chosen !== null) handle.current?.show(chosen);
  }, [chosen, shown]);
  // Preact attaches wheel listeners as passive ones, which cannot keep the page from scrolling.
  useEffect(() => {
    const element = box.current!;
    const turn = (event: WheelEvent): void => {
      const isWanted = event.ctrlKey || event.metaKey || element.contains(document.activeElement);
      if (!isWanted) return;
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 * event.deltaY : event.deltaY;
      handle.current?.zoomBy(2 ** (-pixels / (event.ctrlKey ? 80 : 240)), [event.clientX - left, event.clientY - top]);
    };
    element.addEventListener("wheel", turn, { passive: false });
    return () => element.removeEventListener("wheel", turn);
  }, []);

  const walk = (direction: Direction): void => {
    const from = cursor ?? chosen;
    const centres = shown.map((cell) => itemAt(plane.centres, cell));
    const next = from === null ? (handle.current?.middle() ?? 0) : arrowNeighbour(centres, from, direction);
    setCursor(next);
    handle.current?.show(next);
  };
  const press = (event: KeyboardEvent): void => {
    const direction = ARROWS[event.key];
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const act =
      direction !== undefined && isPlain
        ? () => (event.shiftKey ? handle.current?.moveBy(PAN[direction]) : walk(direction))
        : {
            Enter: () => cursor !== null && choose(cursor),
            " ": () => cursor !== null && choose(cursor),
            Escape: () => {
              setCursor(null);
              onChoose(null);
            },
            "+": () => handle.current?.zoomBy(ZOOM_STEP),
            "=": () => handle.current?.zoomBy(ZOOM_STEP),
            "-": () => handle.current?.zoomBy(1 / ZOOM_STEP),
            "0": () => handle.current?.reset(),
            PageUp: () => onStep(-1),
            PageDown: () => onStep(1),
          }[event.key];
    if (act === undefined || !isPlain) return;
    event.preventDefault();
    setHover(null);
    act();
  };

  const walked = isFocused ? cursor : null;
  const active = walked ?? chosen ?? 0;
  const tipped = hover?.hexagon ?? walked ?? chosen;
  return (
    <div class="map-box" ref={box}>
      <div
        class="map-stage"
        role="listbox"
        tabIndex={0}
        aria-label={`${label}. Arrow keys move between hexagons, Enter chooses, Escape clears, plus and minus zoom.`}
        aria-activedescendant={shown.length === 0 ? undefined : `${name}-${active}`}
        onKeyDown={press}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      >
        <Drawing
          cells={props.cells}
          plane={plane}
          shown={shown}
          colours={props.colours}
          weak={props.weak}
          marked={hover?.hexagon ?? walked}
          chosen={chosen}
          onHover={(hexagon, at) => setHover(hexagon === null || at === undefined ? null : { hexagon, at })}
          onPick={(hexagon) => {
            setCursor(hexagon);
            choose(hexagon);
          }}
          onView={(scale) => {
            setScale(scale);
            setRound((round) => round + 1);
          }}
          handle={handle}
        />
        {shown.length === 0 ? null : (
          // biome-ignore lint/a11y/useFocusableInteractive: the list box has the focus, and points here.
          <span
            key={active}
            id={`${name}-${active}`}
            class="for-readers"
            role="option"
            aria-selected={active === chosen}
            aria-posinset={active + 1}
            aria-setsize={shown.length}
          >
            {linesOf(active).join(", ")}
          </span>
        )}
      </div>
      <div class="map-zoom">
        <button type="button" aria-label="Zoom in" onClick={() => handle.current?.zoomBy(ZOOM_STEP)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => handle.current?.zoomBy(1 / ZOOM_STEP)}>
          −
        </button>
        <button type="button" aria-label="Show all" title="Show all" onClick={() => handle.current?.reset()}>
          ⤢
        </button>
      </div>
      <ScaleBar kilometresPerPixel={kilometresPerPixel} />
      {tipped === null || shown[tipped] === undefined || handle.current === null ? null : (
        <MapTip lines={linesOf(tipped)} at={hover?.at ?? handle.current.placeOf(tipped)} />
      )}
    </div>
  );
}
