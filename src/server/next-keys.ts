import type { IncomingHttpHeaders } from "node:http";

/**
 * Removes what Next's preview and action keys unlock. Those keys are part of the build, so every installation of a version has
 * the same ones. The hall uses no preview mode, no revalidation and no server actions.
 */
export function removeNextKeys(headers: IncomingHttpHeaders): void {
  for (const name of unlocking.headers) delete headers[name];
  if (headers.cookie === undefined) return;
  const pairs = headers.cookie.split(";").filter((pair) => !unlocking.cookies.includes(nameOf(pair)));
  if (pairs.length === 0) delete headers.cookie;
  else headers.cookie = pairs.join(";");
}

const unlocking = {
  headers: [
    "x-prerender-revalidate",
    "x-prerender-revalidate-if-generated",
    "x-next-revalidated-tags",
    "x-next-revalidate-tag-token",
    "next-action",
  ],
  cookies: ["__prerender_bypass", "__next_preview_data"],
};

const nameOf = (pair: string): string => (pair.split("=", 1)[0] ?? "").trim();
