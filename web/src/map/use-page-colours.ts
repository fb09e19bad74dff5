/** The page's colours as numbers, for what cannot read custom properties; followed from light to dark. */
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
      const style = getComputedStyle(element.current ?? document.documentElement);
      const of = (name: keyof PageColours): string => {
        const found = style.getPropertyValue(`--${name}`).trim();
        return /^#[0-9a-f]{6}$/i.test(found) ? found : AT_FIRST[name];
      };
      setColours({ empty: of("empty"), ink: of("ink"), card: of("card") });
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
