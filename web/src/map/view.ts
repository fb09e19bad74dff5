/** Zooms and pans over a plane, and converts between it and pixels. */

export type Point = readonly [x: number, y: number];

/** What is in the middle, and how much larger than what fits. */
export interface View {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

/** A plane seen through a window. */
export interface Frame {
  readonly planeWidth: number;
  readonly planeHeight: number;
  /** Of the window, in pixels. */
  readonly width: number;
  readonly height: number;
}

const CLOSEST = 40;

export function wholeView({ planeWidth, planeHeight }: Frame): View {
  return { zoom: 1, x: planeWidth / 2, y: planeHeight / 2 };
}

export function pixelsPerUnit(view: View, frame: Frame): number {
  return view.zoom * Math.min(frame.width / frame.planeWidth, frame.height / frame.planeHeight);
}

export function toScreen(view: View, frame: Frame, [x, y]: Point): Point {
  const scale = pixelsPerUnit(view, frame);
  return [frame.width / 2 + (x - view.x) * scale, frame.height / 2 + (y - view.y) * scale];
}

export function toPlane(view: View, frame: Frame, [x, y]: Point): Point {
  const scale = pixelsPerUnit(view, frame);
  return [view.x + (x - frame.width / 2) / scale, view.y + (y - frame.height / 2) / scale];
}

export function viewBoxOf(view: View, frame: Frame): string {
  const scale = pixelsPerUnit(view, frame);
  const [width, height] = [frame.width / scale, frame.height / scale];
  return [view.x - width / 2, view.y - height / 2, width, height].map((each) => Number(each.toFixed(3))).join(" ");
}

/** Not farther away than the whole, not so far aside that nothing is left to see. */
export function within(view: View, frame: Frame): View {
  const zoom = Math.min(CLOSEST, Math.max(1, view.zoom));
  const scale = pixelsPerUnit({ ...view, zoom }, frame);
  const clamp = (at: number, size: number, seen: number): number =>
    seen >= size ? size / 2 : Math.min(size - seen / 2, Math.max(seen / 2, at));
  return {
    zoom,
    x: clamp(view.x, frame.planeWidth, frame.width / scale),
    y: clamp(view.y, frame.planeHeight, frame.height / scale),
  };
}

/** What is under `around` stays there, if the edges let it. */
export function zoomed(view: View, frame: Frame, factor: number, around: Point): View {
  const zoom = Math.min(CLOSEST, Math.max(1, view.zoom * factor));
  const [x, y] = toPlane(view, frame, around);
  const scale = pixelsPerUnit({ ...view, zoom }, frame);
  return within(
    { zoom, x: x - (around[0] - frame.width / 2) / scale, y: y - (around[1] - frame.height / 2) / scale },
    frame,
  );
}

/** As if the plane were dragged by so many pixels. */
export function dragged(view: View, frame: Frame, [dx, dy]: Point): View {
  const scale = pixelsPerUnit(view, frame);
  return within({ ...view, x: view.x - dx / scale, y: view.y - dy / scale }, frame);
}

/** The view that shows a point, moved only if it must be. */
export function showing(view: View, frame: Frame, point: Point): View {
  const [x, y] = toScreen(view, frame, point);
  const margin = Math.min(40, frame.width / 4, frame.height / 4);
  const isSeen = x >= margin && x <= frame.width - margin && y >= margin && y <= frame.height - margin;
  return isSeen ? view : within({ ...view, x: point[0], y: point[1] }, frame);
}
