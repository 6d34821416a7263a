import type { IncomingMessage } from "node:http";
import { networkInterfaces } from "node:os";
import { judgeRequest } from "../core/guard/judge-request.ts";
import { HallError } from "../schema/hall-error.ts";
import { isLoopback } from "../schema/loopback.ts";
import type { Door } from "./door.ts";

/** Both throw unless the request may go on. They come first for everything the server answers: pages, scripts, API, streams. */
export type Guard = {
  /** Refuses foreign hosts and sites, odd addresses and methods. */
  judge(request: IncomingMessage): void;
  /** Refuses a request without the token, where one is set. */
  admit(request: IncomingMessage): void;
};

export function createGuard({ allowedHosts, door }: { allowedHosts: ReadonlySet<string>; door: Pick<Door, "isOpenTo"> }): Guard {
  return {
    judge(request) {
      const target = request.url ?? "";
      const headers = repeatedAsLists(request);
      judgeRequest({ method: request.method ?? "", target, headers, isStream: isStream(target) }, { allowedHosts });
      checkMethod(request.method ?? "", target);
    },
    admit(request) {
      const { authorization, cookie } = request.headers;
      if (door.isOpenTo({ authorization, cookie }) || isLogin(request)) return;
      throw new HallError(
        "unauthorized",
        "This hall asks for its token. Send it as a bearer token, or open the hall in a browser and type it.",
      );
    },
  };
}

/** Pages are only read. Nothing behind the guard knows what to make of a method that neither pages nor API have. */
function checkMethod(method: string, target: string): void {
  const known = /^\/api(?:[/?#]|$)/.test(target) ? apiMethods : pageMethods;
  if (known.includes(method)) return;
  throw new HallError("method_not_allowed", `This address takes ${known.join(", ")}.`);
}

const pageMethods = ["GET", "HEAD"];
const apiMethods = [...pageMethods, "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];

export const loginPath = "/api/login";

const isLogin = (request: IncomingMessage): boolean => request.method === "POST" && request.url === loginPath;

/** Every stream of the API ends in `/events`. */
const isStream = (target: string): boolean => /^\/api\/(?:[^?#]*\/)?events\/?(?:[?#]|$)/.test(target);

/** Node keeps the first of two Host headers; the guard must see both to refuse them. */
function repeatedAsLists(request: IncomingMessage): Record<string, string | string[] | undefined> {
  const unwrap = (values: string[] | undefined) => (values?.length === 1 ? values[0] : values);
  const names = ["host", "origin", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"];
  return Object.fromEntries(names.map((name) => [name, unwrap(request.headersDistinct[name])]));
}

const loopbackNames = ["127.0.0.1", "localhost", "[::1]"];

/** The `name:port` pairs this server answers to: loopback, its own addresses where it is bound to them, and the configured names. */
export function hostsOf({ host, port, names }: { host: string; port: number; names: readonly string[] }): Set<string> {
  const own = isLoopback(host) ? [] : [bracketed(host), ...(isEverywhere(host) ? ownAddresses() : [])];
  const all = [...loopbackNames, ...own, ...names.map((name) => name.toLowerCase())];
  return new Set(all.flatMap((name) => (hasPort(name) ? [name] : [`${name}:${port}`, ...(port === 80 ? [name] : [])])));
}

const isEverywhere = (host: string): boolean => host === "0.0.0.0" || host === "::";

/** An address cannot be rebound by DNS as a name can, so the machine's own ones are safe to answer to. */
const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).map(({ address }) => bracketed(address.split("%", 1)[0] ?? address)),
  );

const bracketed = (address: string): string => (address.includes(":") ? `[${address}]` : address);

const hasPort = (name: string): boolean => /:\d+$/.test(name.replace(/^\[.*\]/, ""));
