import { once } from "node:events";
import type { Server } from "node:http";
import { performance } from "node:perf_hooks";
import { HallError } from "../schema/hall-error.ts";
import { entryAddress } from "../schema/entry-code.ts";
import { hallFetchKey, pageFailureKey } from "../schema/hall-key.ts";
import type { LogPageFailure } from "../schema/hall-key.ts";
import { composeHall } from "./compose.ts";
import type { HallOptions } from "./compose.ts";
import { createGuard, hostsOf } from "./guard.ts";
import { createHttpServer, mostConnections } from "./http-server.ts";
import { keepMemorySmall } from "./keep-memory-small.ts";
import { projectFolder } from "./installation-folders.ts";
import { createListener } from "./listener.ts";
import { outsideOfRequests } from "./outside-of-requests.ts";
import { startWeb } from "./web.ts";

export type { HallOptions } from "./compose.ts";

export type RunningHall = {
  url: string;
  /** A new address that opens one browser for the person, once. */
  entry(): string;
  /** Ends children, flushes files and frees the home folder. Idempotent. */
  close(): Promise<{ interrupted: number }>;
};

/** Starts a hall and resolves when it serves: home taken, what a crash left is settled, pages and API answer. */
export async function startHall(options: HallOptions): Promise<RunningHall> {
  const startedAt = performance.now();
  keepMemorySmall();
  // The SDK has a report made at each start of an agent, which would look up the names of all that are connected, one by one.
  Object.assign(process.report, { excludeNetwork: true });
  // What the agent's processes write is for this user alone, like everything in the home.
  process.umask(0o077);
  const { host, port } = options.config;
  const hall = await composeHall({ ...options, startedAt, project: projectFolder() });
  try {
    const drawPage = await startWeb();
    const server = createHttpServer();
    await listen(server, host, port);
    const bound = portOf(server);
    const url = `http://${host.includes(":") ? `[${host}]` : host}:${bound}`;
    const logPageFailure: LogPageFailure = ({ error, path }) => hall.log.error({ err: error, path }, "page could not be drawn");
    Object.assign(globalThis, { [hallFetchKey]: outsideOfRequests(hall.fetch), [pageFailureKey]: logPageFailure });
    const guard = createGuard({ allowedHosts: hostsOf({ host, port: bound, names: options.config.allowedHosts }), door: hall.door });
    server.on("request", createListener({ guard, next: drawPage, ...hall }));
    server.on("upgrade", (_request, socket) => socket.destroy());
    await hall.announce(url);
    return { url, entry: () => entryAddress(url, hall.codes.mint()), close: onlyOnce(() => closeAll(server, hall.close)) };
  } catch (error) {
    await hall.close();
    throw error;
  }
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  // Many may come while the hall is busy for a moment. They wait in the kernel, which turns away those it has no room for.
  server.listen({ port, host, backlog: mostConnections });
  try {
    await once(server, "listening");
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code; // net reports through system errors
    if (code === "EADDRINUSE") {
      throw new HallError(
        "port_in_use",
        `Port ${port} on ${host} is used by another program. Choose another one, or any that is free: guild-hall serve --port 0`,
        { cause },
      );
    }
    throw new HallError("bad_request", `Cannot listen on ${host}, port ${port} (${code}). Check --host and --port.`, { cause });
  }
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new HallError("internal", "The server has no port.");
  return address.port;
}

/** New requests are refused first, then runs end and their streams with them, then what is left of connections is cut. */
async function closeAll(server: Server, closeHall: () => Promise<{ interrupted: number }>): Promise<{ interrupted: number }> {
  server.close();
  const result = await closeHall();
  server.closeAllConnections();
  return result;
}

function onlyOnce<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined;
  return () => (running ??= work());
}
