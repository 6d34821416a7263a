import { connect } from "node:net";

/** Sends these bytes as they are, and answers everything that comes back until the other side closes. */
export function exchange(url: string, bytes: string | Uint8Array): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let said = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding("latin1").on("data", (piece: string) => (said += piece));
    // A refusal may come as the end of the connection alone.
    socket.on("error", () => undefined);
    socket.once("close", () => resolve(said));
  });
}

/** A request as text; the connection ends with its answer. */
export const requestText = (line: string, headers: readonly string[], body = ""): string =>
  [line, ...headers, "Connection: close", "", body].join("\r\n");

/** The statuses of all answers in what came back. */
export const statusesIn = (said: string): number[] => [...said.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map((match) => Number(match[1]));
