import { errorMeanings } from "../../src/schema/error-code.ts";
import { describeApi, errorsEverywhere } from "../../src/server/api/openapi.ts";
import { describedRoutes } from "../../src/server/api/routes.ts";
import { readFieldComments } from "./field-comments.ts";
import { introduction } from "./introduction.ts";
import { routeSection } from "./route-section.ts";
import { shapeSection } from "./shape-section.ts";
import type { JsonSchema } from "./type-words.ts";

/** docs/api.md, made from the same table that the hall serves. */
export async function apiDocument(): Promise<string> {
  const routes = describedRoutes();
  const missing = routes.filter(({ path }) => !areas.some(({ of }) => of.test(path)));
  if (missing.length > 0) throw new Error(`No area names ${missing.map(({ path }) => path).join(", ")}.`);
  const comments = await readFieldComments();
  const { components } = describeApi("", routes);
  const sections = areas.map(({ title, of }) => {
    const own = routes.filter(({ path }) => of.test(path));
    return `## ${title}\n\n${own.map(routeSection).join("\n\n")}`;
  });
  const shapes = Object.entries(components.schemas).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${introduction}
${sections.join("\n\n")}

## Shapes

What requests and answers are made of. A field with a question mark may be left out. Times are ISO 8601 in UTC, money is in dollars.

${shapes.map(([name, schema]) => shapeSection(name, schema as JsonSchema, comments)).join("\n\n")}

## Errors

An error is \`application/problem+json\` with a [Problem](#problem): \`detail\` is a sentence to act on, and \`code\` is one of these. Every route may answer ${errorsEverywhere.map((code) => `\`${code}\``).join(", ")}. Codes that no route names are those of commands, and of queries that failed: they are in \`error\` of a [Session](#session) and in its stream.

| code | status | meaning |
| --- | --- | --- |
${Object.entries(errorMeanings)
  .map(([code, { status, title }]) => `| \`${code}\` | ${status} | ${title} |`)
  .join("\n")}
`;
}

/** The parts of the API in the order in which one gets to know them. */
const areas = [
  { title: "Sessions", of: /^\/api\/sessions/ },
  { title: "Jobs", of: /^\/api\/(jobs|workers)/ },
  { title: "Runs and approvals", of: /^\/api\/(runs|approvals)/ },
  { title: "Guild members and their tools", of: /^\/api\/(roster|tools)/ },
  { title: "Spending and disk", of: /^\/api\/(spending|disk)/ },
  { title: "The hall", of: /^\/api\/(health|openapi|doctor|model|login|logout|entry-codes|events)/ },
];
