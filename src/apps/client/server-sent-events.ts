/** Server-sent events from a stream of bytes, as the HTML standard reads them; bytes may be cut anywhere. */

export interface ServerSentEvent {
  /** The last that was given. */
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Stopping early lets go of the stream. An event that the stream ends within is none. */
export async function* serverSentEvents(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, void> {
  let id = "";
  let event = "";
  let data: string[] = [];
  for await (const line of linesOf(stream)) {
    if (line === "") {
      if (data.length > 0) yield { id, event: event === "" ? "message" : event, data: data.join("\n") };
      event = "";
      data = [];
      continue;
    }
    const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    if (field === "id") id = value;
    else if (field === "event") event = value;
    else if (field === "data") data.push(value);
  }
}

/** Those that ended; a line ends with LF, CR or both. */
async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      // A CR at the end may be half of a line's end.
      for (let end = /\r\n|\n|\r(?!$)/.exec(rest); end !== null; end = /\r\n|\n|\r(?!$)/.exec(rest)) {
        yield rest.slice(0, end.index);
        rest = rest.slice(end.index + end[0].length);
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
