import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { Environment } from "../../schema/environment.ts";
import { systemCode } from "./file-failure.ts";

export type LayeredEnvironment<Real extends Environment = NodeJS.ProcessEnv> = {
  env: Real;
  /** Sentences for the person who starts the hall; they never hold a value. */
  warnings: string[];
};

/**
 * The real environment with what `.env.local` of the folder adds to it. Read again whenever somebody asks to look for
 * credentials, so that a key written there needs no restart. Only variables the hall knows are taken: the file may
 * belong to another program as well.
 */
export async function readEnvironment<Real extends Environment>(real: Real, folder: string): Promise<LayeredEnvironment<Real>> {
  const path = join(folder, ".env.local");
  const text = await readFile(path, "utf8").catch((error: unknown) => (isAbsent(error) ? null : unreadable));
  if (text === null) return { env: { ...real }, warnings: [] };
  if (text === unreadable) return { env: { ...real }, warnings: [`${path} cannot be read and was left out.`] };
  const taken = Object.entries(parseEnv(text)).filter(([name, value]) => isHallVariable(name) && value !== undefined && value !== "");
  return { env: { ...Object.fromEntries(taken), ...real }, warnings: await warningsAbout(path, taken.length > 0) };
}

const unreadable = Symbol("unreadable");
const isAbsent = (error: unknown): boolean => systemCode(error) === "ENOENT";

const knownNames = new Set([
  "CLAUDE_CODE_OAUTH_TOKEN",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
]);

/** What a hall takes from its environment, and from nowhere else does it know a key. */
export function isHallVariable(name: string): boolean {
  return /^(?:ANTHROPIC|GUILD_HALL)_/.test(name) || knownNames.has(name) || knownNames.has(name.toUpperCase());
}

async function warningsAbout(path: string, isUsed: boolean): Promise<string[]> {
  if (!isUsed || process.platform === "win32") return [];
  const { mode } = await stat(path);
  return (mode & 0o044) === 0 ? [] : [`${path} can be read by other users of this machine. Close it with: chmod 600 ${path}`];
}
