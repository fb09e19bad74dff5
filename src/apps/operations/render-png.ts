/** SVG to PNG by resvg, compiled to WebAssembly, in the letters of assets/fonts: the same pixels on every machine. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

/** As the SVG names it first. */
const FAMILY = "Source Sans 3";
const FONTS = ["SourceSans3-Regular.ttf", "SourceSans3-SemiBold.ttf"];

export type PngRenderer = (svg: string, options: { readonly scale: number }) => Uint8Array;

let loading: Promise<PngRenderer> | undefined;

/** Loads 2.5 MB of WebAssembly and the fonts once; what it returns draws synchronously, on white. */
export async function pngRenderer(): Promise<PngRenderer> {
  loading ??= load();
  return loading;
}

async function load(): Promise<PngRenderer> {
  const { initWasm, Resvg } = await import("@resvg/resvg-wasm");
  const file = createRequire(import.meta.url).resolve("@resvg/resvg-wasm/index_bg.wasm");
  await initWasm(await readFile(file));
  // src/apps/operations and dist/apps/operations lie equally deep.
  const folder = new URL("../../../assets/fonts/", import.meta.url);
  const fontBuffers = await Promise.all(
    FONTS.map(async (name) => new Uint8Array(await readFile(new URL(name, folder)))),
  );
  return (svg, { scale }) => {
    const drawing = new Resvg(svg, {
      font: { fontBuffers, defaultFontFamily: FAMILY, sansSerifFamily: FAMILY },
      fitTo: { mode: "zoom", value: scale },
      background: "#ffffff",
    });
    const image = drawing.render();
    const png = image.asPng();
    // After a failure there is nothing to free: the module has given up, and freeing would hide why.
    image.free();
    drawing.free();
    return png;
  };
}
