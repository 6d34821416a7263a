import { join } from "node:path";
import { withoutEmpty } from "../without-empty.ts";
import { credentialsOfAddress } from "./address-credentials.ts";

/** Where an SDK process keeps its things. None of them is the person's own. */
export type ChildFolders = { home: string; config: string; temporary: string };

export type ChildEnvironment = Readonly<Record<string, string>>;

export type EnvironmentParts = {
  folders: ChildFolders;
  /** Credentials, address and network settings, from `findBackend`. Wins over the folders: a login lives in the person's own folder. */
  backend: ChildEnvironment;
  /** Our own environment, of which only the search path and the locale are taken. */
  host: Readonly<Record<string, string | undefined>>;
  maxRetries: number;
};

/** The whole environment of an SDK process. It is built from nothing, so what we were started with stays with us. */
export function childEnvironment(parts: EnvironmentParts): ChildEnvironment {
  const { folders, backend, host, maxRetries } = parts;
  return withoutEmpty({
    ...Object.fromEntries(fromHost.map((name) => [name, host[name] ?? ""])),
    HOME: folders.home,
    CLAUDE_CONFIG_DIR: folders.config,
    TMPDIR: folders.temporary,
    CLAUDE_CODE_TMPDIR: folders.temporary,
    ...quiet,
    CLAUDE_CODE_MAX_RETRIES: String(maxRetries),
    ...backend,
  });
}

/** Where the process keeps its transcripts and, with a login, its credentials. */
export const configFolderOf = (environment: ChildEnvironment): string =>
  environment["CLAUDE_CONFIG_DIR"] ?? join(environment["HOME"] ?? "/", ".claude");

export const credentialsIn = (environment: ChildEnvironment): string[] =>
  Object.entries(environment).flatMap(([name, value]) => {
    if (/HEADERS/.test(name)) return headerValuesIn(value);
    return /KEY|TOKEN/.test(name) ? [value] : (credentialsOfAddress(value)?.secrets ?? []);
  });

/** One header per line, `name: value`. Whoever repeats one may leave out its name. */
const headerValuesIn = (headers: string): string[] => headers.split("\n").map((header) => header.slice(header.indexOf(":") + 1).trim());

const fromHost = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ"];

const quiet: ChildEnvironment = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_AUTOUPDATER: "1",
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
  CLAUDE_CODE_DISABLE_FILE_MENTIONS: "1",
  CLAUDE_CODE_DISABLE_BUNDLED_SKILLS: "1",
  CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS: "1",
  // Every tool is in the first request, and no placeholder for tools to come.
  ENABLE_TOOL_SEARCH: "false",
  // A failed start is told as a result with a reason instead of a bare exit code.
  CLAUDE_CODE_STARTUP_FAILURE_RESULTS: "1",
  // Without it, a usage limit of more than a minute fails without saying when it resets.
  CLAUDE_CODE_RETRY_WATCHDOG: "1",
};
