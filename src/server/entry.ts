import type { IncomingMessage, ServerResponse } from "node:http";
import { entryPath } from "../schema/entry-code.ts";
import type { Door } from "./door.ts";
import type { EntryCodes } from "./entry-codes.ts";
import { plainPage } from "./plain-page.ts";

export type Entry = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Serves the address with a one-time code: it exchanges the code for the person's cookie. Returns false for any other address. */
export function createEntry({ door, codes }: { door: Door; codes: EntryCodes }): Entry {
  return (request, response) => {
    // Not parsed as a URL: a client may ask for `//`, which is not a URL.
    const [path, query] = (request.url ?? "").split("?", 2);
    if (path !== entryPath) return false;
    response.setHeader("cache-control", "no-store");
    // A HEAD request, such as a preview of the link, must not use up the code.
    const isValid = request.method === "GET" && codes.redeem(new URLSearchParams(query).get("code") ?? "");
    if (isValid) response.setHeader("set-cookie", door.personCookie());
    if (isValid || door.isPerson({ authorization: undefined, cookie: request.headers.cookie })) {
      const isOpenedByFile = request.headers["sec-fetch-site"] === "cross-site";
      if (isOpenedByFile) response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(plainPage(request, opened));
      else response.writeHead(303, { location: "/" }).end();
      return true;
    }
    response.writeHead(403, { "content-type": "text/html; charset=utf-8" }).end(plainPage(request, { title: "Used address", body }));
    return true;
  };
}

/** After a redirect the browser would still count the file as the one who asks, and leave the cookie out. */
const opened = {
  title: "Opening",
  body: `<meta http-equiv="refresh" content="0; url=/">
<p><a href="/">Open the hall</a></p>`,
};

const body = `<h1>This address cannot be used again</h1>
<p>Each address opens one browser, within an hour. Run <code>guild-hall open</code> on the machine of the hall for a new one.</p>
<p><a href="/">Open the hall without it</a>: you can look around and use sessions.</p>`;
