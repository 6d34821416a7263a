import { credentialNames } from "../../schema/environment.ts";
import type { Environment, Origins } from "../../schema/environment.ts";
import { credentialsOfAddress } from "./address-credentials.ts";

type OwnVariables = {
  env: Environment;
  /** Sentences about what was left out, to append to another. Empty if nothing was. */
  note: string;
};

/**
 * Leaves out each address, proxy and certificate that a file sets, unless the credentials in use come from that file too: otherwise
 * a file could send a key to an address of its choice. `login` names a credential that is in no variable.
 */
export function withoutForeignAddresses(env: Environment, origins: Origins, login?: string): OwnVariables {
  const isSet = (name: string): boolean => (env[name] ?? "").trim() !== "";
  const sourceOf = (name: string): string => origins[name] ?? "the environment";
  const sources = new Set([...(login === undefined ? [] : [login]), ...credentialNames.filter(isSet).map(sourceOf)]);
  const left = new Map<string, string[]>();
  for (const name of guardedNames.filter(isSet)) {
    const file = origins[name];
    const foreign = [...sources].find((source) => source !== file);
    if (file !== undefined && foreign !== undefined) left.set(file, [...(left.get(file) ?? []), name]);
    else if (holdsCredential(name, env[name] ?? "")) sources.add(sourceOf(name));
  }
  const leftNames = new Set([...left.values()].flat());
  const [credential = ""] = sources;
  return {
    env: leftNames.size === 0 ? env : Object.fromEntries(Object.entries(env).filter(([name]) => !leftNames.has(name))),
    note: [...left].map(([file, names]) => ` ${sentence(file, names, credential)}`).join(""),
  };
}

const sentence = (file: string, names: readonly string[], credential: string): string =>
  `${names.join(", ")} in ${file} ${names.length === 1 ? "is" : "are"} not used, because the credential comes from ${credential}: a file chooses an address only for credentials in the same file.`;

/** The way to the model. A foreign proxy or certificate exposes everything that is sent. */
export const networkNames = [
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"].flatMap((name) => [name, name.toLowerCase()]),
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "CLAUDE_CODE_CERT_STORE",
];

/** Those that can hold a credential come first, because they decide about the rest. */
const guardedNames = ["ANTHROPIC_CUSTOM_HEADERS", "ANTHROPIC_BASE_URL", ...networkNames];

function holdsCredential(name: string, value: string): boolean {
  if (name === "ANTHROPIC_CUSTOM_HEADERS") return true;
  return name === "ANTHROPIC_BASE_URL" && credentialsOfAddress(value) !== null;
}
