/** Starts the dashboard in the page. */
import { render } from "preact";
import { App } from "./app.tsx";
import { applyTheme } from "./parts/theme-switch.tsx";

const root = document.getElementById("app")!;
applyTheme();
root.replaceChildren();
render(<App />, root);
