import { join } from "node:path";

export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The whole environment of the SDK's process: what reaches the model, and nothing else this member was started with. Its
 * home, configuration and temporary files lie in `folder`.
 */
export function childEnvironment(own: Variables, folder: string): Record<string, string> {
  const taken = Object.entries(own).filter(([name, value]) => value !== undefined && value !== "" && passedOn.test(name));
  return {
    ...(hasCredential(own) ? { HOME: join(folder, "home"), CLAUDE_CONFIG_DIR: join(folder, "config") } : loginOf(own)),
    TMPDIR: join(folder, "tmp"),
    CLAUDE_CODE_TMPDIR: join(folder, "tmp"),
    CLAUDE_CODE_MAX_RETRIES: "5",
    ...quiet,
    ...(process.getuid?.() === 0 ? { IS_SANDBOX: "1" } : {}),
    ...(isForeign(own) && !hasKey(own) ? { ANTHROPIC_AUTH_TOKEN: "none" } : {}),
    ...Object.fromEntries(taken.map(([name, value]) => [name, value ?? ""])),
  };
}

/** Where the SDK's process keeps its sessions. */
export const configFolderOf = (environment: Record<string, string>): string =>
  environment["CLAUDE_CONFIG_DIR"] ?? join(environment["HOME"] ?? "/", ".claude");

/** Where the model answers, if that is not at Anthropic: then nobody searches the web for us. */
export function foreignEndpoint(own: Variables): string | null {
  const url = URL.parse(own["ANTHROPIC_BASE_URL"]?.trim() ?? "");
  return url === null || url.hostname === "api.anthropic.com" ? null : url.origin;
}

/** Takes credentials out of words that are for people. */
export function scrub(text: string, own: Variables): string {
  const secrets = Object.entries(own).flatMap(([name, value = ""]) => secretsIn(name, value));
  return secrets.filter(({ length }) => length >= 8).reduce((rest, secret) => rest.replaceAll(secret, "[removed]"), text);
}

/** Headers stand one per line, as `name: value`. */
function secretsIn(name: string, value: string): string[] {
  if (/HEADERS/.test(name)) return value.split("\n").map((header) => header.slice(header.indexOf(":") + 1).trim());
  if (/KEY|TOKEN/.test(name)) return [value];
  const password = URL.parse(value)?.password ?? "";
  // Decoded as a form is, because that takes any text.
  return [password, new URLSearchParams(`p=${password.replaceAll("+", "%2B")}`).get("p") ?? ""];
}

/** Search path and language; the model, its credentials and the way there; and the hall's mark, by which it finds what it started. */
const passedOn =
  /^(PATH|LANG|LC_[A-Z]+|TZ|ANTHROPIC_.+|CLAUDE_CODE_OAUTH_TOKEN|CLAUDE_CODE_MAX_RETRIES|CLAUDE_CODE_CERT_STORE|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|GUILD_HALL_MEMBER|(https?|all|no)_proxy)$/i;

const isForeign = (own: Variables): boolean => foreignEndpoint(own) !== null;

const hasKey = (own: Variables): boolean =>
  ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"].some((name) => (own[name] ?? "") !== "");

/** A server of one's own often wants no key; the SDK does, so it gets one that says nothing. */
const hasCredential = (own: Variables): boolean => hasKey(own) || isForeign(own);

/** Without a key there is only the person's own login, which is found in the folders it was made in. */
function loginOf({ HOME, CLAUDE_CONFIG_DIR }: Variables): Record<string, string> {
  return { ...(HOME === undefined ? {} : { HOME }), ...(CLAUDE_CONFIG_DIR === undefined ? {} : { CLAUDE_CONFIG_DIR }) };
}

const quiet = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_AUTOUPDATER: "1",
  // The agent's memory is this member's, and text is text: the SDK has its own ideas of both.
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
  CLAUDE_CODE_DISABLE_FILE_MENTIONS: "1",
  CLAUDE_CODE_DISABLE_BUNDLED_SKILLS: "1",
  CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS: "1",
  // Every tool is in the first request.
  ENABLE_TOOL_SEARCH: "false",
  // A start that fails says why, and a usage limit says when it ends.
  CLAUDE_CODE_STARTUP_FAILURE_RESULTS: "1",
  CLAUDE_CODE_RETRY_WATCHDOG: "1",
};
