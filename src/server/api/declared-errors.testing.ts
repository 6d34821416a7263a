import { Problem } from "../../schema/problem.ts";
import type { ApiHandler } from "./handler.ts";
import { errorsEverywhere, errorsOf } from "./openapi.ts";
import type { Route } from "./route.ts";
import { describedRoutes } from "./routes.ts";

/** The same API, which fails the test that finds it refusing something in a way that the table of routes, and so the document, does not name. */
export function insistOnDeclaredErrors(fetch: ApiHandler): ApiHandler {
  const routes = describedRoutes();
  return async (request) => {
    const response = await fetch(request);
    if (response.headers.get("content-type") !== "application/problem+json") return response;
    const { code } = Problem.parse(await response.clone().json());
    const { pathname } = new URL(request.url);
    const route = routes.find((each) => isAt(each, request.method, pathname));
    if (route === undefined || errorsEverywhere.includes(code) || errorsOf(route).includes(code)) return response;
    throw new Error(`${route.method} ${route.path} answered ${code}, which its row among the routes does not name.`);
  };
}

function isAt({ method, path }: Route, asked: string, pathname: string): boolean {
  const pattern = path.replace(/\{path\}$/, ".+").replaceAll(/\{\w+\}/g, "[^/]+");
  return method === (asked === "HEAD" ? "GET" : asked) && new RegExp(`^${pattern}$`, "s").test(pathname);
}
