import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Headers of every answer. Next reads the script nonce from the policy on the request while it renders, so the policy is
 * set on both sides. A policy that a client sent along is overwritten.
 */
export function applyPagePolicy(request: IncomingMessage, response: ServerResponse): void {
  const policy = isApi(request) ? apiPolicy : pagePolicy(randomBytes(16).toString("base64"));
  request.headers["content-security-policy"] = policy;
  for (const [name, value] of Object.entries({ ...fixedHeaders, "content-security-policy": policy })) response.setHeader(name, value);
}

const fixedHeaders = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
};

const isApi = ({ url = "" }: IncomingMessage): boolean => /^\/api(?:[/?#]|$)/.test(url);

/** Nothing of the API is a page. What an agent wrote stays a dead thing, even where somebody opens its address itself. */
const apiPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/** Styles may be inline because React sets style attributes; scripts may not, except those that carry the nonce. */
const pagePolicy = (nonce: string): string =>
  [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    // A sound that a tool made comes inside its answer.
    "media-src data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
