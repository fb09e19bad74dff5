/** A proxy before a PostgreSQL server that cuts a connection at a chosen message, and can lead elsewhere afterwards. */
import { connect, createServer, type Server, type Socket } from "node:net";

export interface Cut {
  /** Before it reaches the server, or after the server has answered and before the answer reaches the client. */
  readonly of: "request" | "answer";
  /** 1, 2, 3, …, over all connections from when it was set. */
  readonly message: number;
}

export class CuttingProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #target: number;
  #cut: Cut | undefined;
  #seen = { request: 0, answer: 0 };
  /** Whether new connections are turned away. */
  isClosed = false;
  /** Turn new connections away once the cut was made. */
  staysClosed = false;

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((client) => this.#serve(client));
  }

  static async open(target: number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  /** Messages counted since the last call; undefined lets everything pass. */
  arm(cut: Cut | undefined): void {
    this.#cut = cut;
    this.#seen = { request: 0, answer: 0 };
  }

  get seen(): Readonly<Record<Cut["of"], number>> {
    return this.#seen;
  }

  /** Ends all connections and leads new ones to another server. */
  redirect(target: number): void {
    this.#target = target;
    this.#endAll();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#endAll();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #endAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #serve(client: Socket): void {
    if (this.isClosed) return void client.destroy();
    const server = connect(this.#target, "127.0.0.1");
    const end = (): void => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      this.#sockets.add(socket);
      socket.on("error", end);
      socket.on("close", () => {
        this.#sockets.delete(socket);
        end();
      });
    }
    // A client's first message has no letter before its length.
    this.#forward(client, server, { of: "request", firstHasLetter: false, end });
    this.#forward(server, client, { of: "answer", firstHasLetter: true, end });
  }

  #forward(
    from: Socket,
    to: Socket,
    { of, firstHasLetter, end }: { of: Cut["of"]; firstHasLetter: boolean; end: () => void },
  ): void {
    let rest = Buffer.alloc(0);
    let letter = firstHasLetter ? 1 : 0;
    from.on("data", (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= letter + 4 && rest.length >= letter + rest.readInt32BE(letter)) {
        const length = letter + rest.readInt32BE(letter);
        this.#seen[of] += 1;
        if (this.#cut?.of === of && this.#cut.message === this.#seen[of]) {
          this.#cut = undefined;
          if (this.staysClosed) this.isClosed = true;
          // What was forwarded before still gets there.
          from.destroy();
          to.end();
          setImmediate(end);
          return;
        }
        to.write(rest.subarray(0, length));
        rest = rest.subarray(length);
        letter = 1;
      }
    });
  }
}
