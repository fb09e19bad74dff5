/** What a job of the service tells while it runs. */
import type { Progress } from "../../src/planning/index.ts";
import type { Session } from "./session.ts";

export type JobState = "queued" | "running" | "done" | "failed" | "cancelled" | "interrupted";

export type JobEvent =
  | {
      readonly type: "state";
      readonly data: {
        readonly state: JobState;
        readonly error: { readonly code: string; readonly message: string } | null;
      };
    }
  | { readonly type: "progress"; readonly data: Progress };

/** Until the job ends or the connection does. */
export async function* jobEvents(
  { token }: Pick<Session, "token">,
  job: string,
  signal: AbortSignal,
): AsyncGenerator<JobEvent, void, void> {
  const answer = await fetch(`/v1/jobs/${encodeURIComponent(job)}/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal,
  });
  if (!answer.ok || answer.body === null) throw new Error(`the job cannot be followed: status ${answer.status}`);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split("\n\n");
    text = blocks.pop()!;
    for (const block of blocks) {
      const event = readEvent(block);
      if (event !== undefined) yield event;
    }
  }
}

function readEvent(block: string): JobEvent | undefined {
  const fields = new Map(
    block.split("\n").map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
    }),
  );
  const type = fields.get("event");
  if (type !== "state" && type !== "progress") return undefined;
  return { type, data: JSON.parse(fields.get("data") ?? "null") } as JobEvent;
}
