import { z } from "zod";
import { errorMeanings } from "../../schema/error-code.ts";
import type { ErrorCode } from "../../schema/error-code.ts";
import { namedShapes, shapeNames } from "./named-shapes.ts";
import type { Direction } from "./named-shapes.ts";
import { defineRoute } from "./route.ts";
import type { Route } from "./route.ts";

/** The OpenAPI 3.1 document of the routes it is given, itself included. */
export function openApiRoute(version: string, routes: () => readonly Route[]): Route {
  return defineRoute({
    method: "GET",
    path: "/api/openapi.json",
    summary: "The same as OpenAPI 3.1",
    answer: { status: 200, schema: z.looseObject({ openapi: z.string() }) },
    handle: async () => describeApi(version, routes()),
  });
}

export function describeApi(version: string, routes: readonly Route[]) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = describeRoute(route);
  return {
    openapi: "3.1.0",
    info: { title: "Guild Hall", version, license: { name: "MIT", identifier: "MIT" } },
    paths,
    components: {
      securitySchemes: { personKey: { type: "http", scheme: "bearer", description: "The line in person.key of the home folder" } },
      schemas: Object.fromEntries(namedShapes.map(({ id, schema, io }) => [id, jsonSchema(schema, io)])),
    },
  };
}

/** What every route may answer, whatever it does. */
export const errorsEverywhere: readonly ErrorCode[] = [
  "unauthorized",
  "foreign_host",
  "shutting_down",
  "disk_full",
  "home_unusable",
  "file_broken",
  "internal",
];

/** What a route may refuse with beyond that: what follows from its schemas, and what its row names. */
export function errorsOf({ method, needsPerson, params, query, body, answer, errors = [] }: Route): ErrorCode[] {
  const isStream = answer.contentType === "text/event-stream" || answer.stream !== undefined;
  return [
    ...new Set<ErrorCode>([
      ...(params === undefined ? [] : (["invalid_id"] as const)),
      ...(query === undefined && body === undefined ? [] : (["bad_request"] as const)),
      ...(needsPerson === true ? (["person_required"] as const) : []),
      ...(method === "GET" && !isStream ? [] : (["forbidden_origin"] as const)),
      ...(body === undefined ? [] : (["too_large", "unsupported_media_type"] as const)),
      ...(isStream ? (["too_many_streams"] as const) : []),
      ...errors,
    ]),
  ].toSorted((a, b) => errorMeanings[a].status - errorMeanings[b].status);
}

function describeRoute(route: Route) {
  return {
    summary: route.summary,
    operationId: `${route.method.toLowerCase()}${route.path.replaceAll(/[^a-z]+(\w)?/gi, (_, letter: string | undefined) => letter?.toUpperCase() ?? "")}`,
    ...(route.needsPerson === true ? { security: [{ personKey: [] }] } : {}),
    parameters: [
      ...describeParameters(route.params, "path"),
      ...describeParameters(route.query, "query"),
      ...Object.entries(route.headers ?? {}).map(([name, description]) => ({
        name,
        in: "header",
        required: false,
        description,
        schema: { type: "string" },
      })),
    ],
    ...(route.body === undefined
      ? {}
      : {
          requestBody: { required: true, content: { [route.bodyType ?? "application/json"]: { schema: named(route.body, "input") } } },
        }),
    responses: {
      [route.answer.status]: describeAnswer(route),
      ...describeErrors(errorsOf(route)),
      default: problem(errorsEverywhere.map((code) => `\`${code}\``).join(", ")),
    },
  };
}

function describeParameters(schema: z.ZodObject | undefined, place: "path" | "query") {
  if (schema === undefined) return [];
  // A ZodObject's shape holds core types; every one of ours is a ZodType.
  return Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, value]) => ({
    name,
    in: place,
    required: place === "path",
    description: value.description ?? "",
    schema: jsonSchema(value, "input"),
  }));
}

function describeAnswer({ answer: { status, contentType, schema, stream } }: Route) {
  if (status === 204) return { description: "Done" };
  return {
    description: "Success",
    content: {
      [contentType ?? "application/json"]: schema === undefined ? {} : { schema: named(schema, "output") },
      ...(stream === undefined ? {} : { "text/event-stream": { schema: named(stream, "output") } }),
    },
  };
}

/** Several codes may share a status, which OpenAPI has one answer for. */
function describeErrors(codes: readonly ErrorCode[]) {
  const byStatus = Map.groupBy(codes, (code) => errorMeanings[code].status);
  return Object.fromEntries([...byStatus].map(([status, some]) => [status, problem(some.map((code) => `\`${code}\``).join(", "))]));
}

const problem = (description: string) => ({
  description,
  content: { "application/problem+json": { schema: { $ref: `${place}Problem` } } },
});

const place = "#/components/schemas/";

function named(schema: z.ZodType, io: Direction): Record<string, unknown> {
  const id = shapeNames.get(schema)?.id;
  return id === undefined ? jsonSchema(schema, io) : { $ref: `${place}${id}` };
}

/** Shapes with a name are referred to, wherever they are inside of it; what a named shape itself is stands among its `$defs`. */
function jsonSchema(schema: z.ZodType, io: Direction): Record<string, unknown> {
  const { $schema: _dialect, $defs, id: _id, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any", metadata: shapeNames });
  const body = $defs?.[shapeNames.get(schema)?.id ?? ""] ?? rest;
  // The same plain JSON with other references; zod puts them into `$defs` of each document.
  return JSON.parse(JSON.stringify(body).replaceAll('"$ref":"#/$defs/', `"$ref":"${place}`)) as Record<string, unknown>;
}
