import { join } from "node:path";
import { createScrubber } from "../../core/guard/scrub.ts";
import type { ModelInfo } from "../../schema/health.ts";
import type { Finding } from "./finding.ts";

export type ModelToCheck = { info: ModelInfo; endpoint: EndpointToCheck };

/** The address without credentials, the headers to send, and the texts that no sentence may repeat. */
export type EndpointToCheck = { address: string; headers: Readonly<Record<string, string>>; secrets: readonly string[] };

const howToConnect = (home: string): string =>
  `To connect Claude, set ANTHROPIC_API_KEY, or CLAUDE_CODE_OAUTH_TOKEN from \`claude setup-token\`, in the environment or in ${join(home, ".env.local")}.`;

export async function checkModel({ info, endpoint }: ModelToCheck, home: string): Promise<Finding> {
  if (info.backend === "demo") return { status: "info", detail: info.detail, advice: howToConnect(home) };
  if (info.backend === "claude") return { status: "ok", detail: info.detail };
  const failure = await reach(endpoint);
  if (failure === null) return { status: "ok", detail: `${info.detail} It is reachable.` };
  const reason = createScrubber(endpoint.secrets)(failure);
  return { status: "fail", detail: `${info.detail} It does not answer: ${reason}.`, advice: "Start it, or correct ANTHROPIC_BASE_URL." };
}

/** Any answer will do: gateways differ in what they say to a bare request. Only credentials of the address itself are sent. */
async function reach({ address, headers }: EndpointToCheck): Promise<string | null> {
  if (!URL.canParse(address)) return "its address is not a URL";
  try {
    const response = await fetch(address, { method: "HEAD", headers, redirect: "manual", signal: AbortSignal.timeout(3000) });
    await response.body?.cancel();
    return null;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (cause instanceof Error && "code" in cause) return String(cause.code);
    return error instanceof Error ? error.message : String(error);
  }
}
