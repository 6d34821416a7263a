import { delimiter, resolve } from "node:path";
import { isWorker } from "../../schema/manifest.ts";
import type { Manifest } from "../../schema/manifest.ts";
import { withoutEmpty } from "../without-empty.ts";
import { markNames } from "../processes/mark.ts";

export type Variables = Readonly<Record<string, string>>;

export type EnvironmentParts = {
  manifest: Manifest;
  host: Readonly<Record<string, string | undefined>>;
  nodeFolder: string;
  folders: { home: string; temporary: string };
  modelEnv: Variables;
  port: number | null;
  mark: string;
};

/** The whole environment of a member. It is built from nothing, so what we were started with stays with us. */
export function memberEnvironment(parts: EnvironmentParts): Variables {
  const { manifest, host, nodeFolder, folders, modelEnv, port, mark } = parts;
  return {
    ...localeOf(host),
    ...compileCacheOf(host),
    PATH: [nodeFolder, host["PATH"] ?? defaultPath].filter((part) => part !== "").join(delimiter),
    HOME: folders.home,
    TMPDIR: folders.temporary,
    ...withoutEmpty(isWorker(manifest) ? modelEnv : {}),
    ...Object.fromEntries(Object.entries(manifest.mcp.env).map(([name, value]) => [name, withPort(value, port)])),
    [markNames.member]: mark,
  };
}

export const needsPort = ({ transport, mcp }: Manifest): boolean =>
  transport === "http" || [...mcp.args, ...Object.values(mcp.env)].some((text) => text.includes(placeholder));

export const withPort = (text: string, port: number | null): string =>
  port === null ? text : text.replaceAll(placeholder, () => String(port));

const placeholder = "${PORT}";

const defaultPath = ["/usr/local/bin", "/usr/bin", "/bin"].join(delimiter);

const localeOf = (host: EnvironmentParts["host"]): Variables =>
  Object.fromEntries(
    Object.entries(host).flatMap(([name, value]) => (value !== undefined && /^(LANG|LC_[A-Z]+|TZ)$/.test(name) ? [[name, value]] : [])),
  );

/** Where Node keeps what it compiled, if whoever started us chose a place: members start faster then. They work in folders of their own. */
function compileCacheOf({ NODE_COMPILE_CACHE: place = "" }: EnvironmentParts["host"]): Variables {
  return place === "" ? {} : { NODE_COMPILE_CACHE: resolve(place) };
}
