/** How the dashboard is built: into dist/web, hashed files only, nothing inlined, so that the service's content policy holds. */
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // How long plugins take is nobody's concern who installs.
    rolldownOptions: { checks: { pluginTimings: false } },
    // The map by deck.gl, fetched where it is needed only.
    chunkSizeWarningLimit: 900,
  },
  worker: { format: "es" },
  // For work on the dashboard itself: `npx vite web`, with a service on its usual port.
  server: { proxy: { "/v1": "http://127.0.0.1:8080" } },
});
