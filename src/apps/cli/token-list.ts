/** `veilgrid token list`: who may use the service, without any secret. */
import { type Command, flagOption, jsonText, textOption } from "./command.ts";
import { JSON_OPTION } from "./ledger-options.ts";
import { datasetsText, minuteText, STATE_OPTION } from "./token-options.ts";

export const tokenListCommand: Command = {
  name: "token list",
  summary: "all tokens: whose they are, for what, until when; never their secrets",
  options: [STATE_OPTION, JSON_OPTION],
  words: [
    "valid: lets its owner in    expired, revoked: no longer    used: a one-time token that was exchanged, or revoked",
  ],
  examples: [
    "veilgrid token create --state state --role curator --name Ann",
    "veilgrid token list --state state",
    "veilgrid token list --state state --json",
  ],
  async run(_, options, context) {
    const { tokenList } = await import("../service/index.ts");
    const tokens = tokenList({ state: textOption(options, "state") }, new Date());
    if (flagOption(options, "json")) return context.out(jsonText(tokens));
    if (tokens.length === 0) return context.out("there are no tokens; veilgrid token create makes one\n");
    const { textTable } = await import("../../publish/report/index.ts");
    const rows = tokens.map((token) => [
      token.id,
      token.state,
      token.oneTime ? `${token.role}, one-time` : token.role,
      token.name,
      datasetsText(token.datasets),
      minuteText(token.created),
      minuteText(token.expires),
    ]);
    const header = ["id", "state", "role", "name", "datasets", "made (UTC)", "until"];
    context.out(`${textTable([header, ...rows], Array(header.length).fill("left"))}\n`);
  },
};
