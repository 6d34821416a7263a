import { realpath, stat } from "node:fs/promises";
import type { Stats } from "node:fs";
import { parseEnv } from "node:util";
import { systemCode } from "../system-code.ts";
import { readRegularFile } from "../paths/read-regular-file.ts";

/** The variables in a file that the hall knows, and sentences about the file. The sentences never hold a value. */
export type EnvFile = { path: string; variables: Readonly<Record<string, string>>; warnings: string[] };

/** Reads the `.env.local` of the installation or the home. Ignores a file that other users can write to. */
export async function readEnvFile(path: string): Promise<EnvFile> {
  const nothing = (...warnings: string[]): EnvFile => ({ path, variables: {}, warnings });
  const found = await stat(path).catch((error: unknown) => (isAbsent(error) ? "absent" : "unreadable"));
  if (found === "absent") return nothing();
  const variables = typeof found === "string" ? null : await readHallVariables(path);
  if (typeof found === "string" || variables === null) return nothing(`${path} cannot be read and was left out.`);
  const distrust = distrustOf(found);
  if (distrust !== null) return nothing(`${path} is not used: ${distrust}`);
  return { path, variables, warnings: Object.keys(variables).length === 0 ? [] : warningsAbout(path, found) };
}

/** Null if this is not a readable file of a reasonable size. An absent file has no variables. */
export async function readHallVariables(path: string): Promise<Record<string, string> | null> {
  try {
    const { bytes } = await readRegularFile(await realpath(path), mostBytes);
    if (bytes === null) return null;
    const all = Object.entries(parseEnv(bytes.toString("utf8")));
    return Object.fromEntries(
      all.flatMap(([name, value]) => (isHallVariable(name) && value !== undefined && value !== "" ? [[name, value]] : [])),
    );
  } catch (error) {
    // Without rights, for example. The caller says that the file cannot be read.
    return isAbsent(error) ? {} : null;
  }
}

const mostBytes = 256 * 1024;

const isAbsent = (error: unknown): boolean => ["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "");

/** Who can write the file decides where keys go, so that must be this user, or root. */
function distrustOf({ uid, mode }: Stats): string | null {
  const self = process.getuid?.();
  if (self === undefined) return null;
  if (uid !== self && uid !== 0) return `it belongs to another user (${uid}).`;
  return (mode & 0o022) === 0 ? null : "other users of this machine can write to it. Check what it says, and close it with: chmod 600";
}

function warningsAbout(path: string, { mode }: Stats): string[] {
  if (process.platform === "win32" || (mode & 0o044) === 0) return [];
  return [`${path} can be read by other users of this machine. Close it with: chmod 600 ${path}`];
}

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

/** Names the variable of the real environment that replaces the installation's file. No file can set it. */
export const envFileName = "GUILD_HALL_ENV_FILE";

/** The variables a hall takes from a file. Other programs may keep theirs in the same file. */
export function isHallVariable(name: string): boolean {
  if (name === envFileName) return false;
  return /^(?:ANTHROPIC|GUILD_HALL)_\w+$/.test(name) || knownNames.has(name) || knownNames.has(name.toUpperCase());
}
