import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { changesHeader } from "../schema/changes-header.ts";
import { personHeader } from "../schema/person-header.ts";
import { HallError } from "../schema/hall-error.ts";
import { problemOf } from "../schema/problem.ts";
import type { Door } from "./door.ts";
import type { EntryCodes } from "./entry-codes.ts";
import { createEntry } from "./entry.ts";
import type { Guard } from "./guard.ts";
import { loginPage } from "./login-page.ts";
import { removeNextKeys } from "./next-keys.ts";
import { applyPagePolicy } from "./page-policy.ts";

type ListenerParts = {
  guard: Guard;
  next: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  log: Logger;
  changes: () => string;
  door: Door;
  codes: EntryCodes;
};

/** What the HTTP server calls for each request: first the guard, then Next, which serves the pages and hands the API on. */
export function createListener({ guard, next, log, changes, door, codes }: ListenerParts): RequestListener {
  const enter = createEntry({ door, codes });
  return (request, response) => {
    applyPagePolicy(request, response);
    try {
      guard.judge(request);
      if (enter(request, response)) return;
      guard.admit(request);
      removeNextKeys(request.headers);
      const { authorization, cookie } = request.headers;
      request.headers[personHeader] = String(door.isPerson({ authorization, cookie }));
      // Before anything is read for a page: it may be newer than its mark says, and never older.
      request.headers[changesHeader] = changes();
    } catch (error) {
      return refuse(request, response, error instanceof HallError ? error : unexpected(request, error));
    }
    next(request, response).catch((error: unknown) => {
      const problem = unexpected(request, error);
      if (!response.headersSent) refuse(request, response, problem);
      else response.destroy();
    });
  };

  /** No request ends the hall, whatever it does inside. */
  function unexpected(request: IncomingMessage, error: unknown): HallError {
    log.error({ err: error, path: request.url }, "request failed");
    return new HallError("internal", "Something went wrong inside the hall. Its log has the details.");
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, error: HallError): void {
  const problem = problemOf(error);
  // The rest of a refused request is not read, so the connection cannot serve another one.
  response.setHeader("connection", "close");
  response.setHeader("cache-control", "no-store");
  if (error.code === "unauthorized" && request.method === "GET" && request.headers.accept?.includes("text/html") === true) {
    response.writeHead(problem.status, { "content-type": "text/html; charset=utf-8" });
    response.end(loginPage(request));
    return;
  }
  response.writeHead(problem.status, { "content-type": "application/problem+json" });
  response.end(JSON.stringify(problem));
}
