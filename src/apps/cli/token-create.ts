/** `veilgrid token create`: a token for someone who may use the service. */
import { type Command, flagOption, jsonText, textOption } from "./command.ts";
import { JSON_OPTION } from "./ledger-options.ts";
import { STATE_OPTION } from "./token-options.ts";

export const tokenCreateCommand: Command = {
  name: "token create",
  summary: "make a token and print it, this once; the state folder too if there is none",
  options: [
    STATE_OPTION,
    { flags: "--role <role>", description: "curator: plans and releases; analyst: asks for released statistics" },
    { flags: "--name <text>", description: "whose it is, for the list" },
    { flags: "--datasets <names>", description: "a,b: good for these only (default: all)" },
    { flags: "--expires-days <number>", description: "good for so many days (default: until revoked)" },
    JSON_OPTION,
  ],
  examples: [
    "veilgrid token create --state state --role curator --name Ann",
    "veilgrid token create --state state --role analyst --name Ben --datasets city,region --expires-days 90",
  ],
  async run(_, options, context) {
    const { tokenCreate } = await import("../service/index.ts");
    const { token, facts } = tokenCreate(
      {
        state: textOption(options, "state"),
        role: textOption(options, "role"),
        name: textOption(options, "name"),
        datasets: textOption(options, "datasets"),
        expiresDays: textOption(options, "expiresDays"),
      },
      new Date(),
    );
    context.out(flagOption(options, "json") ? jsonText({ token, ...facts }) : `${token}\n`);
    context.note("the token is shown this once and not kept; send it as Authorization: Bearer TOKEN");
  },
};
