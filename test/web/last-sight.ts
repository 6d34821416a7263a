import type { Page, Request } from "playwright-core";

/** What a page waits for, since when, and what was answered last. */
type Traffic = { waiting: Map<Request, number>; answered: string[] };

const traffic = new Map<Page, Traffic>();
const mostAnswered = 15;

export function keepInSight(page: Page): void {
  const kept: Traffic = { waiting: new Map(), answered: [] };
  if (!traffic.has(page)) page.on("close", () => void traffic.delete(page));
  traffic.set(page, kept);
  page.on("request", (request) => void kept.waiting.set(request, Date.now()));
  const onEnd = (how: string) => (request: Request) => {
    kept.answered = [...kept.answered, `${how} ${lineOf(request, kept.waiting.get(request))}`].slice(-mostAnswered);
    kept.waiting.delete(request);
  };
  page.on("requestfinished", onEnd("answered"));
  page.on("requestfailed", onEnd("failed"));
}

/** Written down when a test fails: what goes wrong once in a hundred runs is understood from it or not at all. */
export async function tellLastSight(): Promise<void> {
  for (const [page, { waiting, answered }] of traffic) {
    if (page.isClosed() || /^about:blank$|\/icon\.svg$/.test(page.url())) continue;
    const lines = [...answered, ...[...waiting].map(([request, since]) => `waits for ${lineOf(request, since)}`)];
    const shows = await page.evaluate<string>("document.title + '\\n' + document.body.innerText.slice(0, 1500)").catch(String);
    console.log(`The page at ${page.url()} when its test failed:\n${lines.join("\n")}\n${shows}`);
  }
}

const lineOf = (request: Request, since = Date.now()): string => `${request.method()} ${request.url()}, ${Date.now() - since} ms`;
