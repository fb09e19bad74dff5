/** Follows dragging with one pointer and pinching with two, in pixels and factors. */
import { useRef } from "preact/hooks";
import type { Point } from "./view.ts";

export interface Drag {
  onDrag(pixels: Point): void;
  onPinch(factor: number, around: Point): void;
}

export interface DragHandlers {
  onPointerDown(event: PointerEvent): void;
  onPointerMove(event: PointerEvent): void;
  onPointerUp(event: PointerEvent): void;
  onPointerCancel(event: PointerEvent): void;
  /** Whether what just ended was more than a click. */
  readonly moved: { readonly current: boolean };
}

/** A hand is never quite still. */
const STILL_PIXELS = 5;

export function useDrag({ onDrag, onPinch }: Drag): DragHandlers {
  const pointers = useRef(new Map<number, Point>());
  const moved = useRef(false);
  const way = useRef(0);
  const release = (event: PointerEvent): void => {
    pointers.current.delete(event.pointerId);
  };
  return {
    moved,
    onPointerDown(event) {
      if (event.button !== 0) return;
      if (pointers.current.size === 0) {
        moved.current = false;
        way.current = 0;
      }
      pointers.current.set(event.pointerId, [event.clientX, event.clientY]);
    },
    onPointerMove(event) {
      const before = pointers.current.get(event.pointerId);
      if (before === undefined) return;
      const now: Point = [event.clientX, event.clientY];
      const step: Point = [now[0] - before[0], now[1] - before[1]];
      way.current += Math.hypot(...step);
      if (pointers.current.size === 1) {
        if (way.current < STILL_PIXELS) return;
        moved.current = true;
        (event.currentTarget as Element).setPointerCapture(event.pointerId);
        onDrag(step);
      } else {
        moved.current = true;
        const [other] = [...pointers.current].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
        const box = (event.currentTarget as Element).getBoundingClientRect();
        const around: Point = [(now[0] + other![0]) / 2 - box.left, (now[1] + other![1]) / 2 - box.top];
        onDrag([step[0] / 2, step[1] / 2]);
        onPinch(distance(now, other!) / Math.max(1, distance(before, other!)), around);
      }
      pointers.current.set(event.pointerId, now);
    },
    onPointerUp: release,
    onPointerCancel: release,
  };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one[0] - other[0], one[1] - other[1]);
}
