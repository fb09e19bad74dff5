/** Draws hexagons by WebGL, for maps of thousands: an H3 layer of our own over deck.gl's polygons, without a base map. */

import { Deck, MapView, type MapViewState, WebMercatorViewport } from "@deck.gl/core";
import { LineLayer, PathLayer, SolidPolygonLayer } from "@deck.gl/layers";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { itemAt } from "../../../src/core/errors/index.ts";
import { cellRing, turnTowards } from "../../../src/publish/charts/index.ts";
import { nearestTo } from "./arrow-neighbour.ts";
import { channelsOf } from "./colour-scale.ts";
import type { HexagonsProps } from "./hexagons.ts";
import { type PageColours, usePageColours } from "./use-page-colours.ts";
import { useSize } from "./use-size.ts";
import type { Point } from "./view.ts";

type Corner = [longitude: number, latitude: number];

/** What is left between hexagons is their outline: far cheaper than drawing one. */
const COVERAGE = 0.96;
const HIGHEST_LATITUDE = 85;
const EARTH_KILOMETRES = 40_075.017;
const TILE_PIXELS = 512;
const CLOSEST = 7;
/** So that the gaps between hexagons belong to one of them too. */
const REACH_PIXELS = 4;
/** A hand is never quite still. */
const STILL_PIXELS = 5;

export function DeckHexagons(props: HexagonsProps) {
  const { cells, shown, onView, handle } = props;
  const box = useRef<HTMLDivElement>(null);
  const deck = useRef<Deck<MapView> | null>(null);
  const { width, height } = useSize(box);
  const shapes = useMemo(() => shapesOf(cells), [cells]);
  const whole = useMemo(
    () => (width > 0 ? fitted(shapes.rings, width, height) : undefined),
    [shapes, Math.round(width), Math.round(height)],
  );
  const [moved, setMoved] = useState<{ whole: unknown; view: MapViewState } | null>(null);
  const view = moved !== null && moved.whole === whole ? moved.view : whole;
  const latest = useRef(view);
  latest.current = view;
  const callbacks = useRef(props);
  callbacks.current = props;

  const change = (next: MapViewState): void => {
    if (whole === undefined) return;
    const zoom = Math.min(whole.zoom + CLOSEST, Math.max(whole.zoom - 0.5, next.zoom));
    const kept = { longitude: next.longitude, latitude: next.latitude, zoom };
    latest.current = kept;
    setMoved({ whole, view: kept });
  };
  const viewport = (): WebMercatorViewport => new WebMercatorViewport({ ...latest.current, width, height });
  const placeOf = (hexagon: number): Point =>
    viewport().project(itemAt(shapes.centres, itemAt(shown, hexagon))) as unknown as Point;
  handle.current = {
    zoomBy(factor, around = [width / 2, height / 2]) {
      if (latest.current === undefined || whole === undefined) return;
      const now = viewport();
      const zoom = Math.min(whole.zoom + CLOSEST, Math.max(whole.zoom - 0.5, latest.current.zoom + Math.log2(factor)));
      const fixed = now.unproject([...around]) as Corner;
      const near = new WebMercatorViewport({ ...latest.current, zoom, width, height });
      // What is under the pointer stays there.
      const { longitude, latitude } = near.panByPosition(fixed, [...around]);
      change({ longitude: longitude!, latitude: latitude!, zoom });
    },
    moveBy([dx, dy]) {
      const [longitude, latitude] = viewport().unproject([width / 2 - dx, height / 2 - dy]) as Corner;
      change({ ...latest.current!, longitude, latitude });
    },
    reset: () => setMoved(null),
    show(hexagon) {
      if (latest.current === undefined) return;
      const [x, y] = placeOf(hexagon);
      if (x > 30 && y > 30 && x < width - 30 && y < height - 30) return;
      const [longitude, latitude] = itemAt(shapes.centres, itemAt(shown, hexagon));
      change({ ...latest.current, longitude, latitude });
    },
    placeOf,
    middle: () =>
      nearestTo(
        shown.map((cell) => itemAt(shapes.centres, cell)),
        [latest.current!.longitude, latest.current!.latitude],
      ),
  };

  useEffect(() => {
    const made = new Deck({
      parent: box.current!,
      views: new MapView({ repeat: false }),
      controller: { scrollZoom: false, dragRotate: false, touchRotate: false, keyboard: false, doubleClickZoom: false },
      pickingRadius: REACH_PIXELS,
      touchAction: "pan-y",
      viewState: { longitude: 0, latitude: 0, zoom: 0 },
      useDevicePixels: Math.min(2, devicePixelRatio),
      getCursor: ({ isDragging, isHovering }) => (isDragging ? "grabbing" : isHovering ? "pointer" : "grab"),
      onHover: ({ index, x, y }) =>
        index >= 0 ? callbacks.current.onHover(index, [x, y]) : callbacks.current.onHover(null),
      onDragStart: () => callbacks.current.onHover(null),
      // The stage around it has the focus.
      onLoad: () => box.current?.querySelector("canvas")?.removeAttribute("tabindex"),
    });
    deck.current = made;
    return () => made.finalize();
  }, []);
  useLayoutEffect(() => {
    if (view === undefined) return;
    deck.current?.setProps({
      viewState: view,
      onViewStateChange: ({ viewState }) => change(viewState as MapViewState),
    });
    onView((EARTH_KILOMETRES * Math.cos((view.latitude * Math.PI) / 180)) / (TILE_PIXELS * 2 ** view.zoom));
  }, [view, whole]);
  const layers = useLayers(props, shapes, box);
  useEffect(() => deck.current?.setProps({ layers }), [layers]);
  // deck.gl's own clicks must be over within 250 ms, which drawing without a graphics card takes longer than.
  const pressed = useRef<Point>([0, 0]);
  return (
    <div
      ref={box}
      class="hexagons"
      aria-hidden="true"
      onPointerLeave={() => props.onHover(null)}
      onPointerDown={({ clientX, clientY }) => {
        pressed.current = [clientX, clientY];
      }}
      onClick={({ clientX, clientY, currentTarget }) => {
        const [x, y] = pressed.current;
        if (Math.hypot(clientX - x, clientY - y) > STILL_PIXELS) return;
        const { left, top } = currentTarget.getBoundingClientRect();
        const picked = deck.current?.pickObject({ x: clientX - left, y: clientY - top, radius: REACH_PIXELS });
        if (picked && picked.index >= 0) props.onPick(picked.index);
      }}
    />
  );
}

interface Shapes {
  readonly rings: readonly Corner[][];
  readonly centres: readonly Corner[];
}

function shapesOf(cells: readonly string[]): Shapes {
  const rings = turnTowards(cells.map(cellRing)).map((ring) =>
    ring.map(
      ([longitude, latitude]): Corner => [longitude, Math.max(-HIGHEST_LATITUDE, Math.min(HIGHEST_LATITUDE, latitude))],
    ),
  );
  const centres = rings.map((ring): Corner => {
    const corners = ring.slice(0, -1);
    const mean = (of: 0 | 1): number => corners.reduce((total, corner) => total + corner[of], 0) / corners.length;
    return [mean(0), mean(1)];
  });
  return { rings, centres };
}

function fitted(rings: readonly Corner[][], width: number, height: number): MapViewState {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings)
    for (const [longitude, latitude] of ring) {
      west = Math.min(west, longitude);
      east = Math.max(east, longitude);
      south = Math.min(south, latitude);
      north = Math.max(north, latitude);
    }
  const padding = Math.min(24, width / 10, height / 10);
  const { longitude, latitude, zoom } = new WebMercatorViewport({ width, height }).fitBounds(
    [
      [west, south],
      [east, north],
    ],
    { padding },
  );
  return { longitude, latitude, zoom };
}

/** A point on the way from a centre to a corner. */
function between([longitude, latitude]: Corner, corner: Corner, share: number): Corner {
  return [longitude + share * (corner[0] - longitude), latitude + share * (corner[1] - latitude)];
}

function useLayers(
  { shown, colours, weak, marked, chosen }: HexagonsProps,
  { rings, centres }: Shapes,
  box: { readonly current: HTMLElement | null },
) {
  const page = usePageColours(box);
  const polygons = useMemo(
    () => shown.map((cell) => itemAt(rings, cell).map((corner) => between(itemAt(centres, cell), corner, COVERAGE))),
    [rings, centres, shown],
  );
  const fills = useMemo(() => colours.map((colour) => channelsOf(colour ?? page.empty)), [colours, page.empty]);
  const crosses = useMemo(
    () =>
      weak.flatMap((hexagon) => {
        const cell = itemAt(shown, hexagon);
        const [longitude, latitude] = itemAt(centres, cell);
        const [x, y] = [0, 1].map(
          (of) =>
            Math.max(
              ...itemAt(rings, cell).map((corner) => Math.abs(itemAt(corner, of) - itemAt(itemAt(centres, cell), of))),
            ) / 6,
        ) as [number, number];
        return [1, -1].map((side): [Corner, Corner] => [
          [longitude - x, latitude - side * y],
          [longitude + x, latitude + side * y],
        ]);
      }),
    [rings, centres, shown, weak],
  );
  return useMemo(
    () => [
      new SolidPolygonLayer<Corner[]>({
        id: "hexagons",
        data: polygons,
        getPolygon: (polygon) => polygon,
        getFillColor: (_, { index }) => itemAt(fills, index),
        updateTriggers: { getFillColor: fills },
        pickable: true,
      }),
      ...crossLayers(crosses),
      ...[chosen, marked].flatMap((hexagon, index) =>
        hexagon === null || shown[hexagon] === undefined
          ? []
          : outlineLayers(itemAt(rings, itemAt(shown, hexagon)), index === 0 ? "chosen" : "marked", page),
      ),
    ],
    [polygons, fills, crosses, chosen, marked, rings, shown, page],
  );
}

function crossLayers(crosses: ReadonlyArray<[Corner, Corner]>) {
  return (["under", "over"] as const).map(
    (id) =>
      new LineLayer<[Corner, Corner]>({
        id: `weak-${id}`,
        data: crosses,
        getSourcePosition: ([from]) => from,
        getTargetPosition: ([, to]) => to,
        getColor: id === "under" ? [0, 0, 0] : [255, 255, 255],
        getWidth: id === "under" ? 3 : 1.5,
      }),
  );
}

function outlineLayers(ring: Corner[], id: string, { ink, card }: PageColours) {
  const width = id === "chosen" ? 3 : 2;
  return (["under", "over"] as const).map(
    (part) =>
      new PathLayer<Corner[]>({
        id: `${id}-${part}`,
        data: [ring],
        getPath: (path) => path,
        getColor: channelsOf(part === "under" ? card : ink),
        getWidth: part === "under" ? width + 3 : width,
        widthUnits: "pixels",
        jointRounded: true,
        updateTriggers: { getColor: [ink, card] },
      }),
  );
}
