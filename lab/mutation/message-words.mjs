/** Leaves alone the words of messages: what a refusal says may be worded otherwise, that and when it refuses may not. */
import { PluginKind } from "@stryker-mutator/api/plugin";

const SPEAKERS = new Set(["VeilgridError", "invariant", "unreachable"]);

/** An argument of `new VeilgridError(code, sentence)` or `invariant(holds, sentence)`, from the second on. */
function isSentence(path) {
  const call = path.parentPath?.node;
  if (call?.type !== "NewExpression" && call?.type !== "CallExpression") return false;
  return path.listKey === "arguments" && path.key > 0 && SPEAKERS.has(call.callee.name);
}

export const strykerPlugins = [
  {
    kind: PluginKind.Ignore,
    name: "message-words",
    value: {
      shouldIgnore: (path) => (isSentence(path) ? "the words of a message" : undefined),
    },
  },
];
