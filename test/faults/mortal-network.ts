import { once } from "node:events";
import { createServer, request as ask } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** What happens to connections while a machine sleeps: nothing, the other side resets them, or it forgets them and never says so. */
export type Death = "none" | "reset" | "silent";

export type MortalNetwork = {
  /** Use this in place of the model's own address. */
  url: string;
  /** Ends the connections that are open now. New ones work. */
  die(how: Death): void;
  close(): void;
};

/** The way to a model, whose connections can die. */
export async function startNetwork({ url }: { url: string }): Promise<MortalNetwork> {
  const sockets = new Set<Socket>();
  const silent = new WeakSet<Socket>();
  const isSilent = ({ socket }: IncomingMessage): boolean => silent.has(socket);
  const server = createServer((request, response) => {
    if (isSilent(request)) return;
    const onward = ask(new URL(request.url ?? "/", url), {
      method: request.method,
      headers: { ...request.headers, host: new URL(url).host },
    });
    onward.on("response", (answer) => passOn(answer, response, () => isSilent(request)));
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).once("close", () => sockets.delete(socket));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // a TCP server has such an address
  return {
    url: `http://127.0.0.1:${port}`,
    die(how) {
      if (how === "none") return;
      for (const socket of sockets) {
        if (how === "reset") socket.resetAndDestroy();
        else silent.add(socket);
      }
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function passOn(answer: IncomingMessage, response: ServerResponse, isSilent: () => boolean): void {
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  response.flushHeaders();
  answer.on("data", (chunk: Buffer) => void (isSilent() || response.write(chunk)));
  answer.on("end", () => void (isSilent() || response.end()));
  answer.on("error", () => void (isSilent() || response.destroy()));
}
