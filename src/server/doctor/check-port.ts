import { createServer } from "node:net";
import { portOfAddress } from "../port-of-address.ts";
import type { Finding, HomeHolder } from "./finding.ts";
import { findPortHolder } from "./port-holder.ts";

export async function checkPort({ host, port, hall }: { host: string; port: number; hall: HomeHolder | null }): Promise<Finding> {
  if (port === 0) return { status: "ok", detail: "Any free port will be taken (port 0)." };
  if (portOf(hall) === port) return { status: "ok", detail: `${port} is in use by this hall.` };
  const failure = await tryToListen(host, port);
  if (failure === null) return { status: "ok", detail: `${port} on ${host} is free.` };
  if (failure === "EADDRINUSE") {
    const holder = await findPortHolder(port);
    const by = holder === null ? "another program" : `${holder.name} (process ${holder.pid})`;
    return { status: "fail", detail: `${port} on ${host} is in use by ${by}.`, advice: "Stop it, or choose another port with --port." };
  }
  if (failure === "EACCES")
    return { status: "fail", detail: `${port} needs more rights than this user has.`, advice: "Choose a port above 1023 with --port." };
  return { status: "fail", detail: `${host} is not an address of this machine (${failure}).`, advice: "Choose another with --host." };
}

function portOf(hall: HomeHolder | null): number | null {
  const address = hall?.address ?? "";
  return URL.canParse(address) ? portOfAddress(address) : null;
}

function tryToListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
