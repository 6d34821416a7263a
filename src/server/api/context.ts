import type { ContextStore } from "../../core/session/context-store.ts";
import type { Sessions } from "../../core/session/sessions.ts";
import { ContextText } from "../../schema/context.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { SessionId } from "../../schema/ids.ts";
import { OneSession } from "./one-session.ts";
import { defineRoute } from "./route.ts";
import type { Route } from "./route.ts";

export type ContextDeps = {
  sessions: Pick<Sessions, "get">;
  context: ContextStore;
  /** The file was changed through this API. */
  onContextChanged: (id: SessionId) => void;
};

export function contextRoutes({ sessions, context, onContextChanged }: ContextDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/sessions/{id}/context",
      summary: "The context file, with an ETag that names this content",
      params: OneSession,
      answer: { status: 200, schema: ContextText, contentType: "text/markdown" },
      errors: ["not_found"],
      handle: async ({ params }) => {
        await sessions.get(params.id);
        const { text, etag } = await context.read(params.id);
        return new Response(text, {
          headers: { "content-type": "text/markdown; charset=utf-8", "cache-control": "no-store", etag: `"${etag}"` },
        });
      },
    }),
    defineRoute({
      method: "PUT",
      path: "/api/sessions/{id}/context",
      summary: "Replace the context file that `If-Match` names; answers the new ETag, or 412 where the file has changed since",
      params: OneSession,
      headers: { "If-Match": "the ETag of the content that this replaces; without it, only a file that is not there yet is written" },
      body: ContextText,
      bodyType: "text/markdown",
      answer: { status: 204 },
      errors: ["not_found", "precondition_failed"],
      handle: async ({ params, body, request }) => {
        await sessions.get(params.id);
        const { etag } = await write(params.id, body, request.headers.get("if-match"));
        onContextChanged(params.id);
        return new Response(null, { status: 204, headers: { etag: `"${etag}"`, "cache-control": "no-store" } });
      },
    }),
  ];

  async function write(id: SessionId, text: string, ifMatch: string | null): Promise<{ etag: string }> {
    if (ifMatch === null) return context.write(id, text).catch(explainMissing);
    const wanted = etagsOf(ifMatch);
    // Of several that would do, only one can be the present one, and only that one can be written on.
    const present = wanted.length > 1 ? (await context.read(id)).etag : undefined;
    return context.write(id, text, { ifMatch: wanted.find((etag) => etag === present) ?? wanted[0] ?? "" });
  }
}

/** A weak one says that two contents are as good as equal, which is not enough to write on. */
const etagsOf = (header: string): string[] =>
  header.trim() === "*"
    ? ["*"]
    : [...header.matchAll(/(W\/)?"([^"]*)"/g)].flatMap(([, weak, etag = ""]) => (weak === undefined ? [etag] : []));

function explainMissing(error: unknown): never {
  if (!(error instanceof HallError) || error.code !== "precondition_failed") throw error;
  throw new HallError("precondition_failed", "Say with If-Match which content this replaces: the ETag that came with it.", {
    cause: error,
    details: error.details,
  });
}
