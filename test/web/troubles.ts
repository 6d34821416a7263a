import type { Page } from "playwright-core";

const troubles: string[] = [];

/** What pages had trouble with since the last time somebody asked. */
export const takeTroubles = (): string[] => troubles.splice(0);

/** A console error, a page error or a failed request is trouble, unless it is what a test is about. */
export function watch(page: Page, isExpected: (trouble: string) => boolean): void {
  const report = (trouble: string) => isExpected(trouble) || troubles.push(trouble);
  page.on("console", (message) => {
    if (message.text().includes("404") && isOfMember(message.location().url)) return;
    if (message.type() === "error" || message.type() === "warning") report(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => report(`page error: ${error.message}`));
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // A page that is left, or a stream that is no longer wanted, gives up its requests: that is no failure.
    if (reason !== "net::ERR_ABORTED") report(`request failed: ${request.url()} ${reason}`);
  });
  page.on("response", (response) => {
    if (response.status() === 404 && response.request().method() === "GET" && isOfMember(response.url())) return;
    if (response.status() >= 400) report(`response ${response.status()}: ${response.url()}`);
  });
}

/** A page may ask for a member in the very moment in which somebody removes it. */
const isOfMember = (url: string): boolean => /^https?:\/\/[^/]+\/api\/roster\/[^/]+$/.test(url);
