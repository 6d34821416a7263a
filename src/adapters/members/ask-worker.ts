import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { WorkerOffers } from "../../core/worker/worker-handle.ts";
import { HallError } from "../../schema/hall-error.ts";
import { wordsOf } from "./end-reasons.ts";
import { detailsOf, requestOf } from "./member-request.ts";
import type { MemberRequest } from "./member-request.ts";
import { isTooDeep, tooDeep } from "./nesting.ts";

export type WorkerRequest = Pick<MemberRequest<z.ZodType>, "member" | "stop" | "over" | "onLost"> & {
  method: string;
  params: Readonly<Record<string, unknown>>;
  workerMs: number;
};

/** Asks a worker. What it refuses as wrong parameters is a `bad_request` in its own words. */
export async function askWorker(client: Client, { method, params, workerMs, ...request }: WorkerRequest): Promise<unknown> {
  const { member } = request;
  const answer = await requestOf(client, {
    ...request,
    request: { method, params },
    schema: z.looseObject({}),
    withinMs: workerMs,
    words: {
      what: method,
      unanswered: `${member} gave no answer to ${method}`,
      late: `${member} gave no answer to ${method} within ${workerMs / 1000} s. It may still have done it: look at its jobs before you try again.`,
    },
  }).catch((error: unknown) => {
    throw refusalOf(error, member, method) ?? error;
  });
  // Of a list, which may be very long, nothing is kept that could be deep.
  if (method !== "worker/list" && isTooDeep(answer))
    throw new HallError("member_failed", `${member} failed to answer ${method}: ${tooDeep}`, { details: detailsOf("protocol") });
  return answer;
}

function refusalOf(error: unknown, member: string, method: string): HallError | null {
  const cause: unknown = error instanceof HallError ? error.cause : undefined;
  if (!(cause instanceof McpError)) return null;
  const details = detailsOf("protocol");
  if (cause.code === Number(ErrorCode.InvalidParams)) return new HallError("bad_request", wordsOf(cause), { cause, details });
  if (cause.code !== Number(ErrorCode.MethodNotFound)) return null;
  return new HallError("member_failed", `${member} does not know ${method}, although its manifest says that it takes jobs.`, {
    cause,
    details,
  });
}

/** Announced in the handshake; one that is quiet about it knows only the six methods. */
export function workerOffersOf(client: Client): WorkerOffers {
  const { success, data } = Announced.safeParse(client.getServerCapabilities()?.experimental?.["worker"]);
  return success ? { events: data.events !== false, artifacts: data.artifacts !== false } : { events: false, artifacts: false };
}

const Announced = z.looseObject({ events: z.unknown().optional(), artifacts: z.unknown().optional() });
