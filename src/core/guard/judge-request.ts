import { HallError } from "../../schema/hall-error.ts";

/** What the guard needs of a request, before anything else has looked at it. Header names are lowercase. */
export type RequestHead = {
  method: string;
  /** As it stood on the request line. */
  target: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The path answers with a stream, which a foreign page must not read either. */
  isStream: boolean;
};

export type GuardRules = {
  /** Lowercase `name:port` of every name this server answers to. */
  allowedHosts: ReadonlySet<string>;
};

/** Throws a `HallError` unless the request was meant for this server and does not come from another site. */
export function judgeRequest(head: RequestHead, rules: GuardRules): void {
  checkTarget(head.target);
  checkHost(head, rules);
  checkSite(head);
  if (isSafe(head.method) && !head.isStream) return;
  checkOrigin(head, rules);
}

const isSafe = (method: string): boolean => method === "GET" || method === "HEAD" || method === "OPTIONS";

function checkTarget(target: string): void {
  const malformed = () => new HallError("bad_request", "The address of this request is malformed.");
  if (!target.startsWith("/") || target.includes("\\")) throw malformed();
  const path = target.split(/[?#]/, 1)[0] ?? "";
  if (needlesslyEncoded.test(path)) throw malformed();
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    throw malformed();
  }
  // Control characters never belong into a path, whatever the router behind would make of them.
  if (/[\u0000-\u001f\u007f\\]/.test(decoded)) throw malformed();
  if (decoded.split("/").some((segment) => segment === "." || segment === "..")) throw malformed();
}

/**
 * Letters, digits and `-._~` need no other spelling. Routers decode them, and whoever judges an address by its words, as
 * what is a stream, would take `/api/%65vents` for another one.
 */
const needlesslyEncoded = /%(?:2[de]|3\d|[46][1-9a-f]|[57][0-9a]|5f|7e)/i;

function checkHost(head: RequestHead, rules: GuardRules): void {
  const host = one(head.headers["host"]);
  if (host !== undefined && rules.allowedHosts.has(host.toLowerCase())) return;
  throw new HallError(
    "foreign_host",
    `This hall does not answer to the name "${host ?? ""}". Use one of: ${[...rules.allowedHosts].join(", ")}.`,
  );
}

/**
 * A page of another site cannot read an answer, but can measure how long it takes, and that tells what is stored here. So it may
 * only open a page, by a link. Programs and old browsers send none of these headers.
 */
function checkSite({ method, target, headers, isStream }: RequestHead): void {
  const site = one(headers["sec-fetch-site"]);
  if (site === undefined || site === "same-origin" || site === "none") return;
  const opensPage = one(headers["sec-fetch-mode"]) === "navigate" && one(headers["sec-fetch-dest"]) === "document";
  if (opensPage && isSafe(method) && !isStream && !isOfApi(target)) return;
  throw refusal();
}

/** As a router may read it: paths are compared without regard to case or doubled slashes. */
const isOfApi = (target: string): boolean => /^\/+api(?:[/?#;]|$)/i.test(target);

function checkOrigin(head: RequestHead, rules: GuardRules): void {
  const origin = one(head.headers["origin"]);
  if (origin === undefined) return;
  const host = /^https?:\/\/([^/]+)$/.exec(origin.toLowerCase())?.[1];
  if (host === undefined || host !== one(head.headers["host"])?.toLowerCase() || !rules.allowedHosts.has(host)) throw refusal();
}

const refusal = (): HallError => new HallError("forbidden_origin", "This request comes from another site and was refused.");

/** A header that was sent twice is taken as absent from the allowed set, never as its first value. */
const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value.join(", ") : value);
