import { realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { credentialNames } from "../../schema/environment.ts";
import type { Environment, Origins } from "../../schema/environment.ts";
import { envFileName, readEnvFile, readHallVariables } from "./env-file.ts";
import type { EnvFile } from "./env-file.ts";

export type LayeredEnvironment<Real extends Environment = NodeJS.ProcessEnv> = {
  env: Real;
  origins: Origins;
  /** Sentences for the person who runs the command. They name files and variables and never hold a value. */
  warnings: string[];
};

export type Places = {
  /** The folders whose file belongs to the program itself. Only there, a file can choose the home. */
  installation: readonly string[];
  /** Null while the home is not known yet. */
  home: string | null;
  /** The working directory. Its file is never used unless the folder is one of the others. */
  folder: string;
};

/**
 * The real environment with what the files of the home and the installation add to it: the first of the three that sets a variable
 * wins. Files are read again at each call, so that a key written later needs no restart.
 */
export async function readEnvironment<Real extends Environment>(real: Real, places: Places): Promise<LayeredEnvironment<Real>> {
  const ofInstallation = installationFiles(real, places);
  const ofHome = places.home === null ? [] : [join(places.home, fileName)].filter((path) => !ofInstallation.includes(path));
  const files = [
    ...(await Promise.all(ofHome.map(readEnvFile))).map(withoutHome),
    ...(await Promise.all(ofInstallation.map(readEnvFile))).map(withAbsoluteHome),
  ];
  const added: Record<string, string> = {};
  const origins: Record<string, string> = {};
  for (const { path, variables } of withCredentialsOfOne(real, files).toReversed()) {
    for (const [name, value] of Object.entries(variables)) {
      if (real[name] !== undefined) continue;
      added[name] = value;
      origins[name] = path;
    }
  }
  const unused = places.home === null ? [] : await warningAbout(places.folder, [places.home, ...places.installation], places.home);
  return { env: { ...added, ...real }, origins, warnings: [...files.flatMap(({ warnings }) => warnings), ...unused] };
}

const fileName = ".env.local";

function installationFiles(real: Environment, { installation }: Places): string[] {
  const named = real[envFileName] ?? "";
  return named === "" ? installation.map((folder) => join(folder, fileName)) : [resolve(named)];
}

/** The file of a home must not lead to another home and its programs. */
function withoutHome(file: EnvFile): EnvFile {
  const { GUILD_HALL_HOME: home, ...variables } = file.variables;
  if (home === undefined) return file;
  const warning = `GUILD_HALL_HOME in ${file.path} is not used: the file of a home cannot choose a home.`;
  return { ...file, variables, warnings: [...file.warnings, warning] };
}

/** Relative to the file, because the working directory has no say in it. */
function withAbsoluteHome(file: EnvFile): EnvFile {
  const { GUILD_HALL_HOME: home, ...others } = file.variables;
  return home === undefined ? file : { ...file, variables: { ...others, GUILD_HALL_HOME: resolve(dirname(file.path), home) } };
}

/** Credentials are not mixed: only the first place that has one is used, the real environment before the files. */
function withCredentialsOfOne(real: Environment, files: readonly EnvFile[]): EnvFile[] {
  const has = (variables: Environment): boolean => credentialNames.some((name) => (variables[name] ?? "").trim() !== "");
  const holder = has(real) ? null : files.find(({ variables }) => has(variables));
  const isCredential = (name: string): boolean => credentialNames.some((each) => each === name);
  return files.map((file) => {
    if (file === holder) return file;
    return { ...file, variables: Object.fromEntries(Object.entries(file.variables).filter(([name]) => !isCredential(name))) };
  });
}

/** A sentence about the file of the working directory, which may belong to anything. Only the names in it are looked at. */
async function warningAbout(folder: string, used: readonly string[], home: string): Promise<string[]> {
  const path = join(await realOr(folder), fileName);
  const places = await Promise.all(used.map(async (each) => join(await realOr(each), fileName)));
  if (places.includes(path)) return [];
  const names = Object.keys((await readHallVariables(path)) ?? {});
  if (names.length === 0) return [];
  const listed = names.length > 5 ? `${names.slice(0, 5).join(", ")}, …` : names.join(", ");
  const hint = names.includes("GUILD_HALL_HOME") ? " A home is chosen with --home." : "";
  return [
    `${path} is not used, because the working directory decides nothing. For the hall, put ${listed} into ${join(home, fileName)}.${hint}`,
  ];
}

const realOr = (path: string): Promise<string> => realpath(path).catch(() => path);
