/** Events are the same however their bytes are cut. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ServerSentEvent, serverSentEvents } from "./server-sent-events.ts";

function streamOf(chunks: readonly Uint8Array[], cancelled?: () => void): ReadableStream<Uint8Array> {
  const left = [...chunks];
  return new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const next = left.shift();
        if (next === undefined) controller.close();
        else controller.enqueue(next);
      },
      cancel: () => cancelled?.(),
    },
    { highWaterMark: 0 },
  );
}

async function read(chunks: readonly Uint8Array[]): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of serverSentEvents(streamOf(chunks))) events.push(event);
  return events;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("fields, comments, several lines of data, and an end within an event", async () => {
  const text =
    ': a comment\nid: 1\nevent: state\ndata: {"a":\ndata:1}\n\ndata:  two spaces\nretry: 5\n\nevent: none\n\ndata\n\nid: 9\ndata: cut off';
  expect(await read([bytes(text)])).toEqual([
    { id: "1", event: "state", data: '{"a":\n1}' },
    { id: "1", event: "message", data: " two spaces" },
    { id: "1", event: "message", data: "" },
  ]);
  expect(await read([])).toEqual([]);
});

test("cut anywhere, and with any ends of lines, they are the same", async () => {
  const events = fc.array(
    fc.record({
      id: fc.nat().map(String),
      event: fc.constantFrom("state", "progress"),
      data: fc.string({ unit: "grapheme" }).map((text) => JSON.stringify(text)),
    }),
    { maxLength: 5 },
  );
  const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(events, cuts, fc.constantFrom("\n", "\r\n", "\r"), async (expected, places, end) => {
      const text = expected
        .map(({ id, event, data }) => `id: ${id}${end}event: ${event}${end}data: ${data}${end}${end}`)
        .join("");
      // A lone CR at the very end could still be followed by its LF.
      const all = bytes(end === "\r" ? `${text}: end\n` : text);
      const sorted = [0, ...places.map((place) => Math.min(place, all.length)), all.length].sort((a, b) => a - b);
      const chunks = sorted.slice(1).map((place, index) => all.slice(sorted[index], place));
      expect(await read(chunks)).toEqual(expected);
    }),
  );
});

test("who stops early lets go of the stream", async () => {
  let isCancelled = false;
  const stream = streamOf([bytes("data: 1\n\n"), bytes("data: 2\n\n")], () => {
    isCancelled = true;
  });
  for await (const { data } of serverSentEvents(stream)) {
    expect(data).toBe("1");
    break;
  }
  expect(isCancelled).toBe(true);
});
