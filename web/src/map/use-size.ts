/** Follows the size of an element. */
import { useLayoutEffect, useState } from "preact/hooks";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Zero until it is known. */
export function useSize(element: { readonly current: Element | null }): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const found = element.current;
    if (found === null) return undefined;
    const measure = (): void => {
      const { width, height } = found.getBoundingClientRect();
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(found);
    return () => observer.disconnect();
  }, []);
  return size;
}
