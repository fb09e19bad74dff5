/** Draws hexagons as SVG: shapes once, colours painted over them. */

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { itemAt } from "../../../src/core/errors/index.ts";
import { nearestTo } from "./arrow-neighbour.ts";
import type { HexagonsProps } from "./hexagons.ts";
import { crosses } from "./map-plane.ts";
import { useDrag } from "./use-drag.ts";
import { useSize } from "./use-size.ts";
import {
  dragged,
  type Frame,
  type Point,
  pixelsPerUnit,
  showing,
  toPlane,
  toScreen,
  type View,
  viewBoxOf,
  wholeView,
  zoomed,
} from "./view.ts";

/** With more, outlines would hide the colours. */
const MANY = 1500;

export function SvgHexagons(props: HexagonsProps) {
  const { plane, shown, weak, marked, chosen, onHover, onPick, onView, handle } = props;
  const svg = useRef<SVGSVGElement>(null);
  const { width, height } = useSize(svg);
  const frame: Frame = { planeWidth: plane.width, planeHeight: plane.height, width: width || 1, height: height || 1 };
  const [moved, setMoved] = useState<{ plane: unknown; view: View } | null>(null);
  const view = moved?.plane === plane ? moved.view : wholeView(frame);
  // Gestures come faster than renders.
  const latest = useRef(view);
  latest.current = view;
  const change = (next: View): void => {
    latest.current = next;
    setMoved({ plane, view: next });
  };
  const centreOf = (hexagon: number): Point => itemAt(plane.centres, itemAt(shown, hexagon));
  handle.current = {
    zoomBy: (factor, around = [frame.width / 2, frame.height / 2]) =>
      change(zoomed(latest.current, frame, factor, around)),
    moveBy: (pixels) => change(dragged(latest.current, frame, pixels)),
    reset: () => setMoved(null),
    show: (hexagon) => change(showing(latest.current, frame, centreOf(hexagon))),
    placeOf: (hexagon) => toScreen(view, frame, centreOf(hexagon)),
    middle: () =>
      nearestTo(
        shown.map((cell) => itemAt(plane.centres, cell)),
        toPlane(view, frame, [frame.width / 2, frame.height / 2]),
      ),
  };
  const kilometresPerPixel = plane.kilometresPerUnit / pixelsPerUnit(view, frame);
  useLayoutEffect(() => {
    if (width > 0) onView(kilometresPerPixel);
  }, [kilometresPerPixel, view.x, view.y, width]);

  const drag = useDrag({
    onDrag: (pixels) => handle.current?.moveBy(pixels),
    onPinch: (factor, around) => handle.current?.zoomBy(factor, around),
  });
  const shapes = usePainted(props);
  const outline = useMemo(() => plane.paths.join(""), [plane]);
  const marks = useMemo(
    () =>
      crosses(
        plane,
        weak.map((hexagon) => itemAt(shown, hexagon)),
      ),
    [plane, shown, weak],
  );
  return (
    <svg
      ref={svg}
      class={`hexagons${shown.length > MANY ? " fine" : ""}${view.zoom > 1 ? " near" : ""}`}
      viewBox={width > 0 ? viewBoxOf(view, frame) : `0 0 ${plane.width} ${plane.height}`}
      aria-hidden="true"
      onPointerDown={drag.onPointerDown}
      onPointerUp={drag.onPointerUp}
      onPointerCancel={drag.onPointerCancel}
      onPointerMove={(event) => {
        drag.onPointerMove(event);
        if (event.pointerType === "touch") return;
        const isDragged = event.buttons !== 0 && drag.moved.current;
        const hexagon = isDragged ? null : hexagonOf(event.target);
        const box = event.currentTarget.getBoundingClientRect();
        onHover(hexagon, [event.clientX - box.left, event.clientY - box.top]);
      }}
      onPointerLeave={() => onHover(null)}
      onClick={(event) => {
        const hexagon = hexagonOf(event.target);
        if (!drag.moved.current && hexagon !== null) onPick(hexagon);
      }}
    >
      <path class="hex-ghost" d={outline} />
      {shapes}
      {marks === "" ? null : (
        <>
          <path class="hex-weak under" d={marks} />
          <path class="hex-weak" d={marks} />
        </>
      )}
      {[chosen, marked].map((hexagon, index) =>
        hexagon === null || shown[hexagon] === undefined ? null : (
          <g key={index} class={index === 0 ? "hex-chosen" : "hex-marked"}>
            <path class="under" d={plane.paths[itemAt(shown, hexagon)]} />
            <path d={plane.paths[itemAt(shown, hexagon)]} />
          </g>
        ),
      )}
    </svg>
  );
}

/** The shapes of a layer as one element that is never drawn again; only fills that changed are touched. */
function usePainted({ plane, shown, colours }: HexagonsProps) {
  const group = useRef<SVGGElement>(null);
  const painted = useRef<{ shown: unknown; plane: unknown; colours: HexagonsProps["colours"] } | null>(null);
  const shapes = useMemo(
    () => (
      <g ref={group}>
        {shown.map((cell, hexagon) => (
          <path key={cell} class="hex" data-hexagon={hexagon} d={plane.paths[cell]} />
        ))}
      </g>
    ),
    [plane, shown],
  );
  useLayoutEffect(() => {
    const before = painted.current;
    const isSame = before?.shown === shown && before.plane === plane;
    const elements = group.current!.children;
    colours.forEach((colour, hexagon) => {
      if (isSame && before.colours[hexagon] === colour) return;
      (elements[hexagon] as SVGPathElement).style.fill = colour ?? "";
    });
    painted.current = { shown, plane, colours };
  }, [plane, shown, colours]);
  return shapes;
}

function hexagonOf(target: EventTarget | null): number | null {
  const hexagon = (target as SVGElement | null)?.dataset["hexagon"];
  return hexagon === undefined ? null : Number(hexagon);
}
