import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

export type FreePorts = {
  /** A port nobody listens on, held back from others until it is given back. */
  take(): Promise<number>;
  giveBack(port: number): void;
};

/** The system never names one port twice while both are bound; we never name one to two members that are still starting. */
export function createFreePorts(): FreePorts {
  const taken = new Set<number>();
  return {
    async take() {
      for (;;) {
        const port = await askSystem();
        if (taken.has(port)) continue;
        taken.add(port);
        return port;
      }
    },
    giveBack: (port) => void taken.delete(port),
  };
}

async function askSystem(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a server that listens on an address has one of these
  server.close();
  await once(server, "close");
  return port;
}
