import { Hono } from "hono";
import type { Context } from "hono";
import type { Logger } from "pino";
import type { z } from "zod";
import { errorMeanings } from "../../schema/error-code.ts";
import { dotted, explainIssues } from "../../schema/explain-issues.ts";
import { HallError } from "../../schema/hall-error.ts";
import { personRequired } from "../../schema/person-required.ts";
import { plainWords } from "../../schema/plain-words.ts";
import { problemOf } from "../../schema/problem.ts";
import { credentialsOf } from "../door.ts";
import type { Door } from "../door.ts";
import { readJsonBody, readTextBody, refuseOtherBody } from "./json-body.ts";
import type { Route } from "./route.ts";

export type ApiHandler = (request: Request) => Promise<Response>;

type HandlerDeps = { log: Logger; scrub: (text: string) => string; door: Pick<Door, "isPerson"> };

/** The whole back end as one function from a request to a response. It never throws: this is the API's door. */
export function createApiHandler(routes: readonly Route[], { log, scrub, door }: HandlerDeps): ApiHandler {
  const app = new Hono();
  for (const route of routes) app.on(route.method, honoPath(route.path), (context) => answer(route, context, door));
  for (const [path, allowed] of methodsByPath(routes)) {
    app.all(path, () => {
      throw new HallError("method_not_allowed", `This address takes ${allowed.join(", ")}.`, { details: { allow: allowed.join(", ") } });
    });
  }
  app.notFound((context) => problemResponse(new HallError("not_found", `There is nothing at ${context.req.path}.`), scrub));
  app.onError((error, context) => {
    if (error instanceof HallError && errorMeanings[error.code].status < 500) return problemResponse(error, scrub);
    log.error({ err: error, method: context.req.method, path: context.req.path }, "request failed");
    if (error instanceof HallError) return problemResponse(error, scrub);
    return problemResponse(new HallError("internal", "Something went wrong inside the hall. Its log has the details."), scrub);
  });
  return async (request) => app.fetch(request);
}

async function answer(route: Route, context: Context, door: HandlerDeps["door"]): Promise<Response> {
  const request = context.req.raw;
  const isPerson = door.isPerson(credentialsOf(request.headers));
  if (route.needsPerson === true && !isPerson) throw personRequired();
  if (route.body === undefined && route.method !== "GET") refuseOtherBody(request);
  const params = parse(route.params, context.req.param(), "address");
  const query = parse(route.query, queryOf(context), "query");
  const body = route.body === undefined ? undefined : parse(route.body, await readBody(route, request), "body");
  const result = await route.handle({ params, query, body, request, isPerson });
  if (result instanceof Response) return request.method === "HEAD" ? withoutBody(result) : unlessGone(result, request.signal);
  if (route.answer.status === 204) return new Response(null, { status: 204 });
  return Response.json(result, { status: route.answer.status, headers: { "cache-control": "no-store" } });
}

/** The router drops the body of a HEAD request unread. Only cancelling frees what is behind it: a place among the streams, an open file. */
async function withoutBody(response: Response): Promise<Response> {
  await response.body?.cancel();
  return new Response(null, response);
}

/**
 * Whoever carries an answer does not even open it where the client went away meanwhile, and what is behind it, a place among
 * the streams or an open file, would be held for ever. One that is being read is cancelled by its reader.
 */
function unlessGone(response: Response, signal: AbortSignal): Response {
  const letGo = () => void response.body?.cancel().catch(() => undefined);
  if (signal.aborted) letGo();
  else signal.addEventListener("abort", letGo, { once: true });
  return response;
}

/** What is given several times is a list, with commas between. */
const queryOf = (context: Context): Record<string, string> =>
  Object.fromEntries(Object.entries(context.req.queries()).map(([name, values]) => [name, values.join(",")]));

const readBody = ({ bodyType }: Route, request: Request): Promise<unknown> =>
  bodyType === undefined ? readJsonBody(request) : readTextBody(request, bodyType);

function parse(schema: z.ZodType | undefined, value: unknown, place: "address" | "query" | "body"): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value, { error: plainWords });
  if (parsed.success) return parsed.data;
  // Without the document, which may hold secrets: nothing of it is repeated.
  const explained = explainIssues(schema, undefined, parsed.error);
  const issues = explained.map(({ path, message }) => ({ path: path.join("."), message: withoutName(message, path) }));
  const sentence = explained.map(({ message }) => message).join("; ");
  const code = place === "address" ? "invalid_id" : "bad_request";
  throw new HallError(code, `The ${place} of this request is not right: ${sentence.replace(/(?<!\?)$/, ".")}`, { details: { issues } });
}

/** An issue has its path beside it. */
const withoutName = (message: string, path: readonly PropertyKey[]): string => {
  const name = path.length === 0 ? "the document " : `"${dotted(path)}" `;
  return message.startsWith(name) ? message.slice(name.length) : message;
};

function problemResponse(error: HallError, scrub: (text: string) => string): Response {
  const problem = problemOf(error);
  const headers = new Headers({ "content-type": "application/problem+json", "cache-control": "no-store" });
  if (typeof error.details["allow"] === "string") headers.set("allow", error.details["allow"]);
  if (typeof error.details["etag"] === "string") headers.set("etag", `"${error.details["etag"]}"`);
  // What it says may repeat what was sent, in its sentence and in what it says field by field.
  const body = JSON.stringify(problem, (_name, value: unknown) => (typeof value === "string" ? scrub(value) : value));
  return new Response(body, { status: problem.status, headers });
}

// `[^]` and not a dot, for names of files may hold line separators.
const honoPath = (path: string): string => path.replace(/\{path\}$/, ":path{[^]+}").replaceAll(/\{(\w+)\}/g, ":$1");

function methodsByPath(routes: readonly Route[]): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { method, path } of routes) methods.set(honoPath(path), [...(methods.get(honoPath(path)) ?? []), method]);
  return methods;
}
