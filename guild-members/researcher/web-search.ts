import { foreignEndpoint } from "./environment.ts";
import type { Variables } from "./environment.ts";

/** What to say where nobody searches the web for the agent, or null where somebody does. */
export function missingSearch(own: Variables): string | null {
  const endpoint = foreignEndpoint(own);
  if (endpoint === null) return null;
  return `Web search is missing: only Anthropic's own servers have it, and the model answers at ${endpoint}. Pages whose address is known can be fetched.`;
}
