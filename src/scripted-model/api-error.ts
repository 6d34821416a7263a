import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { ApiError } from "./reply.ts";

/** Answers with an error in Anthropic's format. */
export function sendError(response: ServerResponse, error: ApiError): void {
  const requestId = newRequestId();
  const type = error.type ?? errorTypes[error.status] ?? (error.status < 500 ? "invalid_request_error" : "api_error");
  response.writeHead(error.status, {
    "content-type": "application/json",
    "request-id": requestId,
    ...(error.retryAfter === undefined ? {} : { "retry-after": String(error.retryAfter) }),
    ...error.headers,
  });
  response.end(JSON.stringify({ type: "error", error: { type, message: error.message }, request_id: requestId }));
}

/** The type each HTTP status has in Anthropic's error format. */
const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  529: "overloaded_error",
};

/** What the API sends with every answer as the header `request-id`. */
export const newRequestId = (): string => `req_scripted_${randomUUID()}`;
