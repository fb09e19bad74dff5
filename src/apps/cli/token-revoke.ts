/** `veilgrid token revoke`: shuts a token out for good. */
import { type Command, flagOption, jsonText, textOption } from "./command.ts";
import { JSON_OPTION } from "./ledger-options.ts";
import { minuteText, STATE_OPTION } from "./token-options.ts";

export const tokenRevokeCommand: Command = {
  name: "token revoke",
  summary: "shut a token out, from the next request on and for good",
  options: [STATE_OPTION, { flags: "--id <id>", description: "of the token, from veilgrid token list" }, JSON_OPTION],
  examples: ["veilgrid token revoke --state state --id 3q2-7wBvLx0A"],
  async run(_, options, context) {
    const { tokenRevoke } = await import("../service/index.ts");
    const token = tokenRevoke({ state: textOption(options, "state"), id: textOption(options, "id") }, new Date());
    const { id, name, revoked } = token;
    context.out(
      flagOption(options, "json")
        ? jsonText(token)
        : `revoked: ${id}, token of ${name}, at ${minuteText(revoked)} UTC\n`,
    );
  },
};
