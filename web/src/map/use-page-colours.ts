/** Reads the page's colours as numbers, for code that cannot read custom properties, and follows changes of theme. */
import { useEffect, useState } from "preact/hooks";

export interface PageColours {
  readonly empty: string;
  readonly ink: string;
  readonly card: string;
}

const AT_FIRST: PageColours = { empty: "#c9cfd6", ink: "#16202a", card: "#ffffff" };

export function usePageColours(element: { readonly current: Element | null }): PageColours {
  const [colours, setColours] = useState(AT_FIRST);
  useEffect(() => {
    const read = (): void => {
      // The computed colour of an element is resolved for the theme; a custom property is not.
      const probe = (element.current ?? document.body).appendChild(document.createElement("i"));
      const of = (name: keyof PageColours): string => {
        probe.style.color = `var(--${name})`;
        const channels = getComputedStyle(probe).color.match(/\d+/g)?.slice(0, 3) ?? [];
        return `#${channels.map((each) => Number(each).toString(16).padStart(2, "0")).join("")}`;
      };
      setColours({ empty: of("empty"), ink: of("ink"), card: of("card") });
      probe.remove();
    };
    read();
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", read);
    const observer = new MutationObserver(read);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    return () => {
      system.removeEventListener("change", read);
      observer.disconnect();
    };
  }, []);
  return colours;
}
