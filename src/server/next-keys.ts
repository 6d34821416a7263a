import type { IncomingHttpHeaders } from "node:http";

/**
 * Removes what Next's preview and action keys unlock. Those keys are part of the build, so every installation of a version has
 * the same ones. The hall uses no preview mode, no revalidation and no server actions.
 */
export function removeNextKeys(headers: IncomingHttpHeaders): void {
  for (const name of unlocking.headers) delete headers[name];
  // Next answers 500 to a state that it cannot read. Without these, it is asked for a whole page.
  if (!isRouterState(headers[stateHeader])) for (const name of [stateHeader, "rsc", "next-router-prefetch"]) delete headers[name];
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

const stateHeader = "next-router-state-tree";

function isRouterState(header: string | string[] | undefined): boolean {
  if (header === undefined) return true;
  if (Array.isArray(header)) return false;
  try {
    return isTree(JSON.parse(decodeURIComponent(header)), 0);
  } catch {
    return false;
  }
}

/** A segment with the trees of its slots, as Next's own pages send it. */
function isTree(value: unknown, depth: number): boolean {
  if (!Array.isArray(value) || depth > 50) return false;
  const [segment, slots] = value as unknown[]; // of unknown values
  const isSegment = typeof segment === "string" || (Array.isArray(segment) && segment.length >= 3);
  if (!isSegment || typeof slots !== "object" || slots === null || Array.isArray(slots)) return false;
  return Object.values(slots).every((each) => isTree(each, depth + 1));
}

const nameOf = (pair: string): string => (pair.split("=", 1)[0] ?? "").trim();
