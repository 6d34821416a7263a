import type { Environment } from "../../schema/environment.ts";
import type { ModelInfo } from "../../schema/health.ts";
import type { Finding } from "./finding.ts";

const howToConnect =
  "To connect Claude, set ANTHROPIC_API_KEY, or CLAUDE_CODE_OAUTH_TOKEN from `claude setup-token`, in the environment or in .env.local of the folder the hall is started in.";

export async function checkModel(model: ModelInfo, env: Environment): Promise<Finding> {
  if (model.backend === "demo") return { status: "info", detail: model.detail, advice: howToConnect };
  if (model.backend === "claude") return { status: "ok", detail: model.detail };
  const failure = await reach(env["ANTHROPIC_BASE_URL"] ?? "");
  if (failure === null) return { status: "ok", detail: `${model.detail} It is reachable.` };
  return { status: "fail", detail: `${model.detail} It does not answer: ${failure}.`, advice: "Start it, or correct ANTHROPIC_BASE_URL." };
}

/** Any answer will do: gateways differ in what they say to a bare request. Credentials are not sent. */
async function reach(address: string): Promise<string | null> {
  if (!URL.canParse(address)) return "its address is not a URL";
  try {
    const response = await fetch(address, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(3000) });
    await response.body?.cancel();
    return null;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (cause instanceof Error && "code" in cause) return String(cause.code);
    return error instanceof Error ? error.message : String(error);
  }
}
