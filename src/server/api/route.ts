import type { z } from "zod";
import type { ErrorCode } from "../../schema/error-code.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * One row of the API: what it takes, what it answers, and the code behind it. The same row is registered with the router
 * and written into the OpenAPI document, so the two cannot drift apart.
 */
export type Route = {
  method: Method;
  /** OpenAPI style: `/api/sessions/{id}`. A `{path}` at the end takes all that is left, slashes included. */
  path: string;
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Headers that the handler reads, each with what it is for. All may be left out. */
  headers?: Readonly<Record<string, string>>;
  body?: z.ZodType;
  /** JSON unless it says otherwise. A text is handed to the schema as it came. */
  bodyType?: "text/markdown";
  /** `stream` is what it sends instead to whoever accepts `text/event-stream`. */
  answer: { status: number; schema?: z.ZodType; contentType?: string; stream?: z.ZodType };
  /** Only the person may: see `personRequired`. Checked before parameters and body are read. */
  needsPerson?: true;
  /** How it refuses what it understood: there is no such thing, or the present state forbids it. What is wrong with a request itself follows from the schemas. */
  errors?: readonly ErrorCode[];
  handle(input: RouteInput): Promise<unknown>;
};

export type RouteInput = { params: unknown; query: unknown; body: unknown; request: Request; isPerson: boolean };

type Parsed<Schema> = Schema extends z.ZodType ? z.infer<Schema> : undefined;

type TypedRoute<Params, Query, Body> = Omit<Route, "params" | "query" | "body" | "handle"> & {
  params?: Params;
  query?: Query;
  body?: Body;
  handle(input: {
    params: Parsed<Params>;
    query: Parsed<Query>;
    body: Parsed<Body>;
    request: Request;
    isPerson: boolean;
  }): Promise<unknown>;
};

/**
 * Ties the handler's input to the schemas of its row. A handler that returns a `Response` answers with it as it is;
 * anything else is sent as JSON with the row's status.
 */
export function defineRoute<
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(route: TypedRoute<Params, Query, Body>): Route {
  // The API handler parses with exactly these schemas before it calls `handle`, so the input has the inferred types.
  return route as unknown as Route;
}
