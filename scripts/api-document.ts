import { describeApi } from "../src/server/api/openapi.ts";
import { apiRoutes } from "../src/server/api/routes.ts";
import type { ApiDeps } from "../src/server/api/routes.ts";
import { errorMeanings } from "../src/schema/error-code.ts";

/** docs/api.md, made from the same table that the hall serves. */
export function apiDocument(): string {
  // Routes are only described here and never called, so they need nothing behind them.
  const { paths } = describeApi("", apiRoutes({} as ApiDeps));
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    // `describeApi` answers plain JSON; this is the part of OpenAPI's shape that is read here.
    Object.entries(operations).map(([method, operation]) => describe(method, path, operation as Operation)),
  );
  return `# REST

Made by \`npm run api-document\` from the schemas the hall serves with; \`GET /api/openapi.json\` has the same as OpenAPI 3.1, with every field.

JSON in, JSON out, unless the table names another type. A body must say its type and have at most 1 MiB. Lists take \`limit\` (1 to 500, default 50) and \`cursor\`, and answer \`nextCursor\`, null on the last page. Streams are server-sent events. With a token, send \`Authorization: Bearer …\`.

| method and path | does | takes | answers |
| --- | --- | --- | --- |
${rows.join("\n")}

## Errors

An error is \`application/problem+json\` with \`type\`, \`title\`, \`status\`, \`detail\` (a sentence to act on), \`code\`, and \`issues\` where input was not right.

| code | status | meaning |
| --- | --- | --- |
${Object.entries(errorMeanings)
  .map(([code, { status, title }]) => `| \`${code}\` | ${status} | ${title} |`)
  .join("\n")}
`;
}

type Schema = { properties?: Record<string, unknown>; required?: string[]; oneOf?: Schema[] };
type Operation = {
  summary: string;
  parameters: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
};

function describe(method: string, path: string, operation: Operation): string {
  const query = operation.parameters.filter((parameter) => parameter.in === "query").map(({ name }) => `?${name}`);
  const body = shapeOf(operation.requestBody?.content);
  const [status = "", answer] = Object.entries(operation.responses)[0] ?? [];
  const shape = shapeOf(answer?.content);
  return `| \`${method.toUpperCase()} ${path}\` | ${operation.summary} | ${[...query.map(code), body].filter(Boolean).join(" ")} | ${[status, shape].filter(Boolean).join(" ")} |`;
}

function shapeOf(content: Record<string, { schema?: Schema }> | undefined): string {
  const [type, { schema } = {}] = Object.entries(content ?? {})[0] ?? [];
  if (type === undefined || type === "application/json") return fieldsOf(schema);
  return type === "text/event-stream" ? "a stream" : code(type);
}

function fieldsOf(schema: Schema | undefined): string {
  const names = Object.keys(schema?.properties ?? {});
  if (names.length === 0) return "";
  const required = new Set(schema?.required ?? []);
  return code(`{ ${names.map((name) => (required.has(name) ? name : `${name}?`)).join(", ")} }`);
}

const code = (text: string): string => `\`${text}\``;
