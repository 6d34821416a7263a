import { AsyncLocalStorage } from "node:async_hooks";
import type { ApiHandler } from "./api/handler.ts";

/**
 * What a request starts may outlive it by days: the next look at jobs, a process that waits for a message. Called through this, it does
 * not keep what Next knows of that request, its socket included.
 */
export function outsideOfRequests(fetch: ApiHandler): ApiHandler {
  const outside = AsyncLocalStorage.snapshot();
  return (request) => outside(fetch, request);
}
