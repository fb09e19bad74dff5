/** Tests that no log line and no metric holds a token, wherever in a request it stands. */
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestService, testService } from "../../../test/support/service.ts";

let service: TestService;
let curator: string;
let port: number;
beforeAll(async () => {
  service = await testService();
  curator = service.token("curator");
  await service.app.listen({ port: 0, host: "127.0.0.1" });
  port = (service.app.server.address() as { port: number }).port;
});
afterAll(() => service[Symbol.asyncDispose]());

/** Bytes as they are, and whatever comes back before the connection ends or nothing more comes. */
function sendRaw(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.setTimeout(2_000, () => socket.destroy());
    socket.on("data", (text) => {
      answer += String(text);
      socket.end();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(answer));
  });
}

test("a token in any place of a request, sound or not", async () => {
  const secret = curator;
  const at = "HTTP/1.1\r\nHost: x\r\n";
  const requests = [
    `GET /v1/datasets ${at}Authorization: Bearer ${secret}\r\n\r\n`,
    `GET /v1/datasets?token=${secret} ${at}\r\n`,
    `GET /v1/jobs/${secret} ${at}Authorization: Bearer ${secret}\r\n\r\n`,
    `GET /${secret}/%zz ${at}\r\n`,
    `GET /v1/datasets ${at}Authorization: Basic ${secret}\r\n\r\n`,
    `GET /v1/datasets ${at}Authorization: Bearer ${secret} ${secret}\r\n\r\n`,
    `GET /v1/datasets ${at}Authorization : Bearer ${secret}\r\n\r\n`,
    `GET /v1/datasets ${at}X-Token: ${secret}\u0000\r\n\r\n`,
    `GET /v1/datasets ${at}X-Long: ${secret.repeat(600)}\r\n\r\n`,
    `${secret} /v1/datasets ${at}\r\n`,
    `GET ${secret}`,
    `POST /v1/datasets ${at}Authorization: Bearer ${secret}\r\nContent-Type: application/json\r\nContent-Length: ${secret.length + 1}\r\n\r\n{${secret}`,
    `POST /v1/datasets ${at}Authorization: Bearer ${secret}\r\nContent-Type: ${secret}\r\nContent-Length: 2\r\n\r\n{}`,
    `POST /v1/datasets ${at}Authorization: Bearer ${secret}\r\nContent-Type: application/json\r\nContent-Length: ${secret}\r\n\r\n{}`,
    `POST /v1/datasets ${at}Authorization: Bearer ${secret}\r\nTransfer-Encoding: ${secret}\r\n\r\n`,
  ];
  const before = service.logged.length;
  const answers = await Promise.all(requests.map(sendRaw));
  // Each was answered or cut off; the first one as it should be, which shows that the token is a real one.
  expect(answers[0]).toMatch(/^HTTP\/1\.1 200 /);
  expect(answers.filter((answer) => /^HTTP\/1\.1 4\d\d /.test(answer)).length).toBeGreaterThanOrEqual(10);
  expect(service.logged.length).toBeGreaterThan(before);
  const metrics = await service.app.inject({ url: "/metrics", headers: { authorization: `Bearer ${secret}` } });
  expect(metrics.statusCode).toBe(200);
  // Tokens are kept as hashes: the half that is secret must not be told either.
  for (const part of [secret, secret.slice(-20)])
    for (const told of [JSON.stringify(service.logged), metrics.body]) expect(told).not.toContain(part);
});
