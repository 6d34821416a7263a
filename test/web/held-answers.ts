import type { Page, Route } from "playwright-core";

/** Answers about lists of sessions are kept back until somebody gives them out. */
export const holdAnswers = `
  globalThis.held = [];
  const { fetch } = globalThis;
  globalThis.fetch = async (request, options) => {
    const answer = await fetch(request, options);
    if (!new URL(request.url ?? request, location.href).pathname.endsWith("/api/sessions")) return answer;
    const body = await answer.text();
    await new Promise((resolve) => held.push(resolve));
    return new Response(body, answer);
  };
`;

/** The next request to an address waits until it is let go, and then becomes of it what is said here. */
export async function holdOnce(page: Page, url: string, goOn: (route: Route) => Promise<void>) {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    asked.resolve();
    await held.promise;
    await goOn(route);
  };
  await page.route(url, hold, { times: 1 });
  return { isAsked: asked.promise, letGo: held.resolve };
}
