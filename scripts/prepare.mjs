/** What `npm ci` ends with: a build, and the command's link. Newer versions of npm call it again before the first `npx veilgrid`, where it has nothing left to build. */
import { buildIfStale } from "./build-if-stale.mjs";
import { linkCommand } from "./link-command.mjs";

if (!buildIfStale()) process.exit(1);
linkCommand();
