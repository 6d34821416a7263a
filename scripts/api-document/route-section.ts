import { errorMeanings } from "../../src/schema/error-code.ts";
import { describeApi, errorsOf } from "../../src/server/api/openapi.ts";
import type { Route } from "../../src/server/api/route.ts";
import { sampleRequest } from "./sample-values.ts";
import { code, link, nameOf, typeWords } from "./type-words.ts";
import type { JsonSchema } from "./type-words.ts";

/** The part of an OpenAPI operation that is read here. */
type Content = Record<string, { schema?: JsonSchema }>;
type Operation = {
  parameters: { name: string; in: string; description: string; schema: JsonSchema }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};

/** One route: what it does, takes, answers and refuses, and a request that it takes. */
export function routeSection(route: Route): string {
  const [operations = {}] = Object.values(describeApi("", [route]).paths);
  // `describeApi` answers plain JSON of OpenAPI's shape.
  const operation = Object.values(operations)[0] as Operation;
  return [
    `### ${route.method} ${route.path}`,
    `${route.summary}.`,
    ...parameterTable(operation),
    ...(operation.requestBody === undefined ? [] : [`Takes ${contentWords(operation.requestBody.content)}.`]),
    `${answerWords(route, operation)} ${errorWords(route)}`.trim(),
    ["```sh", curl(route), "```"].join("\n"),
  ].join("\n\n");
}

function parameterTable({ parameters }: Operation): string[] {
  if (parameters.length === 0) return [];
  const rows = parameters.map(
    ({ name, in: place, description, schema }) => `| ${nameIn(place, name)} | ${typeWords(schema)} | ${description} |`,
  );
  return [["| parameter | is | |", "| --- | --- | --- |", ...rows].join("\n")];
}

/** A parameter is a part of the address, stands behind its question mark, or is a header. */
const nameIn = (place: string, name: string): string =>
  place === "header" ? `${code(name)} (header)` : code(place === "query" ? `?${name}` : name);

function answerWords({ answer: { status } }: Route, { responses }: Operation): string {
  const content = responses[status]?.content;
  return content === undefined ? `Answers ${status}.` : `Answers ${status} with ${contentWords(content)}.`;
}

const contentWords = (content: Content): string =>
  Object.entries(content)
    .map(([type, { schema }]) => {
      const what = schema === undefined ? "" : schema.$ref === undefined ? typeWords(schema) : link(nameOf(schema.$ref));
      if (type === "application/json") return what;
      return type === "text/event-stream" ? `a stream of ${what}` : code(type);
    })
    .join(", or ");

function errorWords(route: Route): string {
  const codes = errorsOf(route).map((each) => `${errorMeanings[each].status} ${code(each)}`);
  return codes.length === 0 ? "" : `Refuses with ${codes.join(", ")}.`;
}

function curl(route: Route): string {
  const { path, body } = sampleRequest(route);
  const method = route.method === (body === undefined ? "GET" : "POST") ? "" : `-X ${route.method} `;
  const isStream = route.answer.contentType === "text/event-stream";
  return `curl ${isStream ? "-N " : ""}${method}${quoted(`http://127.0.0.1:4870${path}`)}${body === undefined ? "" : sending(route, body)}`;
}

/** Shells take a question mark for a pattern, and some of them refuse one that fits no file. */
const quoted = (address: string): string => (/[?*&]/.test(address) ? `'${address}'` : address);

/** The context file is written onto what was read, which its ETag names. */
const sending = ({ bodyType }: Route, body: unknown): string =>
  bodyType === undefined
    ? ` -H 'content-type: application/json' -d '${JSON.stringify(body)}'`
    : ` -H 'content-type: ${bodyType}' -H 'if-match: "…"' --data-binary ${String(body)}`;
