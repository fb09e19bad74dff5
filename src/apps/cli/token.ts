/** `veilgrid token …`: makes, lists and revokes the tokens of those who may use the service. */
import { command, JSON_OPTION, jsonText } from "./command.ts";

const STATE = {
  state: { takes: "<folder>", help: "where the service keeps tokens, plans and the ledger" },
} as const;
const MADE = "veilgrid token create --state state --role curator --name Ann";

export const tokenCommands = [
  command({
    name: "token create",
    summary: "make a token and print it, this once; the state folder too if there is none",
    options: {
      ...STATE,
      role: { takes: "<role>", help: "curator: plans and releases; analyst: asks for released statistics" },
      name: { takes: "<text>", help: "whose it is, for the list" },
      datasets: { takes: "<names>", help: "a,b: good for these only", default: "all" },
      expiresDays: { takes: "<number>", help: "good for so many days", default: "until revoked" },
      ...JSON_OPTION,
    },
    examples: [
      MADE,
      "veilgrid token create --state state --role analyst --name Ben --datasets city,region --expires-days 90",
    ],
    async run(_, { json, ...options }, context) {
      const { tokenCreate } = await import("../service/index.ts");
      const { token, facts } = tokenCreate(options, new Date());
      context.out(json ? jsonText({ token, ...facts }) : `${token}\n`);
      context.note("the token is shown this once and not kept; send it as Authorization: Bearer TOKEN");
    },
  }),
  command({
    name: "token list",
    summary: "all tokens: whose they are, for what, until when; never their secrets",
    options: { ...STATE, ...JSON_OPTION },
    words: [
      "valid: lets its owner in    expired, revoked: no longer    used: a one-time token that was exchanged, or revoked",
    ],
    examples: [MADE, "veilgrid token list --state state", "veilgrid token list --state state --json"],
    async run(_, { json, ...options }, context) {
      const { tokenList } = await import("../service/index.ts");
      const tokens = tokenList(options, new Date());
      if (json) return context.out(jsonText(tokens));
      if (tokens.length === 0) return context.out("there are no tokens; veilgrid token create makes one\n");
      const { textTable } = await import("../../publish/report/index.ts");
      const rows = tokens.map((token) => [
        token.id,
        token.state,
        token.oneTime ? `${token.role}, one-time` : token.role,
        token.name,
        token.datasets === null ? "all" : token.datasets.join(", "),
        minuteText(token.created),
        minuteText(token.expires),
      ]);
      const header = ["id", "state", "role", "name", "datasets", "made (UTC)", "until"];
      context.out(`${textTable([header, ...rows], Array(header.length).fill("left"))}\n`);
    },
  }),
  command({
    name: "token revoke",
    summary: "shut a token out, from the next request on and for good",
    options: { ...STATE, id: { takes: "<id>", help: "of the token, from veilgrid token list" }, ...JSON_OPTION },
    examples: ["veilgrid token revoke --state state --id 3q2-7wBvLx0A"],
    async run(_, { json, ...options }, context) {
      const { tokenRevoke } = await import("../service/index.ts");
      const token = tokenRevoke(options, new Date());
      const { id, name, revoked } = token;
      context.out(json ? jsonText(token) : `revoked: ${id}, token of ${name}, at ${minuteText(revoked)} UTC\n`);
    },
  }),
] as const;

/** A time to the minute, in UTC. */
function minuteText(time: string | null): string {
  return time === null ? "–" : time.slice(0, 16).replace("T", " ");
}
