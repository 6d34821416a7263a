import { credentialNames } from "../../schema/environment.ts";
import type { Environment, Origins } from "../../schema/environment.ts";
import type { ModelInfo } from "../../schema/health.ts";
import type { ChildEnvironment } from "./child-environment.ts";
import { findLogin } from "./login.ts";
import type { Login } from "./login.ts";
import { networkNames, withoutForeignAddresses } from "./foreign-addresses.ts";

export type Backend = {
  info: ModelInfo;
  /** What an SDK process needs to reach the model. It holds credentials, so it goes to such processes and nowhere else. */
  childEnv: ChildEnvironment;
  /** The model to ask for where a run names none. */
  model?: string;
};

export type BackendQuestion = {
  env: Environment;
  /** Which file set a variable. A file chooses no address for a credential from elsewhere. */
  origins?: Origins;
  userHome: string;
  /** Where the built-in scripted model listens, once it does. */
  demoUrl?: string;
  /** Beats `GUILD_HALL_MODEL`. */
  model?: string;
  platform?: NodeJS.Platform;
};

/** Decides which model answers: another address before Claude, a key before a login, and the demo where there is nothing. */
export async function findBackend(question: BackendQuestion): Promise<Backend> {
  const { userHome, demoUrl, origins = {}, platform = process.platform } = question;
  const { env, note } = withoutForeignAddresses(question.env, origins);
  const model = question.model ?? valueOf(env, "GUILD_HALL_MODEL");
  const network = pick(env, networkNames);
  const address = valueOf(env, "ANTHROPIC_BASE_URL");
  const credential = credentialNames.find((name) => valueOf(env, name) !== undefined);
  const settings = pick(env, modelNames);

  if (address !== undefined && !isAnthropic(address)) {
    // A server of one's own often wants no key, but the SDK does not start without one.
    const key = credential === undefined ? { ANTHROPIC_AUTH_TOKEN: "none" } : pick(env, credentialNames);
    const detail = `The model behind ${shown(address)} answers, because ANTHROPIC_BASE_URL is set. Costs are estimates, and what needs Anthropic's own servers, such as WebSearch, is missing.${note}`;
    return backendOf("endpoint", model, detail, { ...network, ...settings, ...key, ANTHROPIC_BASE_URL: address });
  }
  if (credential !== undefined) {
    const detail = `Claude answers, with ${words[credential]} in ${credential}.${note}`;
    return backendOf("claude", model, detail, { ...network, ...settings, ...pick(env, credentialNames) });
  }
  const login = await findLogin({ userHome, configFolder: valueOf(env, "CLAUDE_CONFIG_DIR"), platform });
  if (login !== null) {
    const own = withoutForeignAddresses(question.env, origins, "your Claude login");
    const variables = { ...pick(own.env, networkNames), ...pick(own.env, modelNames), ...folderOf(login) };
    return backendOf("claude", model, `Claude answers, with ${login.words}.${own.note}`, variables);
  }
  return {
    info: {
      backend: "demo",
      name: "scripted demo",
      detail:
        "The built-in scripted model answers, because no Claude key, token or login was found. Set ANTHROPIC_API_KEY, or run `claude` once and log in.",
    },
    childEnv: { ANTHROPIC_API_KEY: "demo", ...(demoUrl === undefined ? {} : { ANTHROPIC_BASE_URL: demoUrl }) },
  };
}

const words: Record<(typeof credentialNames)[number], string> = {
  ANTHROPIC_API_KEY: "the key",
  ANTHROPIC_AUTH_TOKEN: "the token",
  CLAUDE_CODE_OAUTH_TOKEN: "the login token",
};

const modelNames = [
  "ANTHROPIC_CUSTOM_HEADERS",
  "ANTHROPIC_BETAS",
  "ANTHROPIC_DEFAULT_OPUS_MODEL",
  "ANTHROPIC_DEFAULT_SONNET_MODEL",
  "ANTHROPIC_DEFAULT_HAIKU_MODEL",
  "ANTHROPIC_SMALL_FAST_MODEL",
];

const backendOf = (backend: "claude" | "endpoint", model: string | undefined, detail: string, childEnv: ChildEnvironment): Backend => ({
  info: { backend, name: model ?? (backend === "claude" ? "Claude's default" : "the endpoint's default"), detail },
  childEnv,
  ...(model === undefined ? {} : { model }),
});

/** An empty value takes a variable away: some logins are found only where the config folder is not named. */
const folderOf = ({ home, config }: Login): ChildEnvironment => ({
  ...(home === null ? {} : { HOME: home }),
  CLAUDE_CONFIG_DIR: config ?? "",
});

const isAnthropic = (address: string): boolean => URL.parse(address)?.hostname === "api.anthropic.com";

/** An address may carry a name and a password, which are not for showing. */
function shown(address: string): string {
  const url = URL.parse(address);
  return url === null ? "an address that cannot be read" : url.origin;
}

/** A variable that is set to nothing counts as not set. */
function valueOf(env: BackendQuestion["env"], name: string): string | undefined {
  const value = env[name]?.trim();
  return value === "" ? undefined : value;
}

const pick = (env: BackendQuestion["env"], names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = valueOf(env, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
