import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { Method } from "./handlers.ts";
import { RpcError, rpcCodes } from "./rpc-error.ts";

/** One per request. The SDK's server takes methods that MCP does not know as well: what makes a member a worker is registered here. */
export function createMcpServer(member: { name: string; version: string }, methods: Record<string, Method>): Server {
  const server = new WorkerServer(
    { name: member.name, version: member.version },
    { capabilities: { tools: {}, experimental: { worker: { events: true, artifacts: true } } } },
  );

  for (const [name, answer] of Object.entries(methods)) {
    // What does not fit a schema given here, the SDK takes for a failure of ours: so the method checks its parameters itself.
    const request = z.object({ method: z.literal(name), params: z.unknown().optional() });
    server.setRequestHandler(request, async ({ params }) => ({ ...(await answer(params)) }));
  }

  // A worker need not have tools. Clients ask all the same.
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [] }));

  server.fallbackRequestHandler = async ({ method }) => {
    throw new RpcError(rpcCodes.unknownMethod, `There is no method "${method}" here.`);
  };

  return server;
}

/**
 * MCP has tasks of its own: a request whose `task` is an object asks for one, and the SDK would answer that there are none. For a
 * worker `task` is what it is to do, and the method itself says what is wrong with it.
 */
class WorkerServer extends Server {
  protected override assertTaskHandlerCapability(method: string): void {
    if (!method.startsWith("worker/")) super.assertTaskHandlerCapability(method);
  }
}
