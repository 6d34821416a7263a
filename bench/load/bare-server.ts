import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The least that fans an event out: GET reads a stream, POST writes its body to everybody who reads. Prints its port. */
const readers = new Set<ServerResponse>();
const server = createServer((request, response) => {
  if (request.method === "GET") {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    readers.add(response);
    response.once("close", () => readers.delete(response));
    return;
  }
  let body = "";
  request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
  request.on("end", () => {
    for (const reader of readers) reader.write(`event: told\ndata: ${body}\n\n`);
    response.end();
  });
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo; // a server that listens on an address has one of these
  process.stdout.write(`${port}\n`);
});
