import { z } from "zod";
import { Problem } from "../../schema/problem.ts";
import { defineRoute } from "./route.ts";
import type { Route } from "./route.ts";

/** The OpenAPI 3.1 document of the routes it is given, itself included. */
export function openApiRoute(version: string, routes: () => readonly Route[]): Route {
  return defineRoute({
    method: "GET",
    path: "/api/openapi.json",
    summary: "This document",
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
    components: { schemas: { Problem: jsonSchema(Problem, "output") } },
  };
}

function describeRoute(route: Route) {
  return {
    summary: route.summary,
    operationId: `${route.method.toLowerCase()}${route.path.replaceAll(/[^a-z]+(\w)?/gi, (_, letter: string | undefined) => letter?.toUpperCase() ?? "")}`,
    parameters: [...describeParameters(route.params, "path"), ...describeParameters(route.query, "query")],
    ...(route.body === undefined
      ? {}
      : {
          requestBody: { required: true, content: { [route.bodyType ?? "application/json"]: { schema: jsonSchema(route.body, "input") } } },
        }),
    responses: { [route.answer.status]: describeAnswer(route), default: describeProblem() },
  };
}

function describeParameters(schema: z.ZodObject | undefined, place: "path" | "query") {
  if (schema === undefined) return [];
  return Object.entries(schema.shape).map(([name, value]) => ({
    name,
    in: place,
    required: place === "path",
    schema: jsonSchema(value as z.ZodType, "input"), // a ZodObject's shape holds core types; every one of ours is a ZodType
  }));
}

function describeAnswer({ answer }: Route) {
  if (answer.status === 204) return { description: "Done" };
  const type = answer.contentType ?? "application/json";
  return {
    description: "Success",
    content: { [type]: answer.schema === undefined ? {} : { schema: jsonSchema(answer.schema, "output") } },
  };
}

const describeProblem = () => ({
  description: "What went wrong",
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
});

function jsonSchema(schema: z.ZodType, io: "input" | "output") {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}
