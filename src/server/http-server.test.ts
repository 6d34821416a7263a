import { once } from "node:events";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createHttpServer } from "./http-server.ts";

it("cuts a connection with half of its headers or half of its body within a few seconds of the time for it (SEC-15)", async () => {
  const server = createHttpServer();
  expect([server.headersTimeout, server.requestTimeout]).toEqual([60_000, 300_000]);
  Object.assign(server, { headersTimeout: 100, requestTimeout: 100 });
  await once(server.listen({ port: 0, host: "127.0.0.1" }), "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // listens on a port

  const since = performance.now();
  const halves = ["GET / HTTP/1.1\r\nHost: hall\r\nX: ", "POST / HTTP/1.1\r\nHost: hall\r\nContent-Length: 9\r\n\r\nhalf"];
  const said = await Promise.all(halves.map((half) => saidTo(half, port)));

  expect(said.map((each) => each.split("\r\n", 1)[0])).toEqual(["HTTP/1.1 408 Request Timeout", "HTTP/1.1 408 Request Timeout"]);
  // Node alone looks for them after 30 s.
  expect(performance.now() - since).toBeLessThan(10_000);
});

async function saidTo(half: string, port: number): Promise<string> {
  let said = "";
  const socket = connect(port, "127.0.0.1", () => socket.write(half));
  socket.setEncoding("latin1").on("data", (piece: string) => (said += piece));
  await once(socket, "close");
  return said;
}
