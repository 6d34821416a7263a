import { z } from "zod";
import type { Environment } from "./environment.ts";
import { dotted } from "./explain-issues.ts";
import type { MemberName } from "./ids.ts";
import { MemberCommand } from "./manifest.ts";
import { freeName, memberNameFrom } from "./propose-name.ts";

/** A server of somebody else's configuration, as the member it would become. */
export type ImportedServer = {
  /** What the file calls it. */
  displayName: string;
  name: MemberName;
} & (
  | {
      command: MemberCommand;
      /** Where other programs run it, as the file says, which relative paths in the command count from. */
      cwd: string | null;
      isSwitchedOff: boolean;
      /** Variables of the environment that it cannot do without. */
      needs: string[];
      /** What of the file is left out, in sentences. */
      notes: string[];
      problem: null;
    }
  /** Why it cannot become a member. */
  | { command: null; problem: string }
);
export type ImportableServer = Extract<ImportedServer, { problem: null }>;

/** The servers of a file, or why there are none. */
export type McpConfig = { servers: ImportedServer[]; problem: null } | { servers: []; problem: string };

/**
 * Reads what other programs keep their MCP servers in: `.mcp.json`, the configuration of Claude Desktop (`mcpServers`) and
 * of VS Code (`servers`). Never throws; variables are left in place until `fillIn`.
 */
export function readMcpConfig(text: string): McpConfig {
  const document = readJson(text);
  if (document.problem !== null) return { servers: [], problem: document.problem };
  const listed = serversOf(document.value);
  if (listed === null) return { servers: [], problem: 'There are no MCP servers here: they are expected below "mcpServers" or "servers".' };
  if (listed.length === 0) return { servers: [], problem: "The list of MCP servers is empty." };
  const taken = new Set<string>();
  const servers = listed.map(([displayName, entry]): ImportedServer => {
    const name = freeName(memberNameFrom(displayName), taken);
    taken.add(name);
    return { displayName: displayNameFrom(displayName, name), name, ...readServer(entry) };
  });
  return { servers, problem: null };
}

/** The command with `${VAR}` and `${VAR:-default}` replaced by what the environment has. What is left without a value is `missing`. */
export function fillIn({ command, args, env }: MemberCommand, values: Environment): { command: MemberCommand; missing: string[] } {
  const missing = new Set<string>();
  const fill = (text: string): string => fillInText(text, values, missing);
  const filled = {
    command: fill(command),
    args: args.map(fill),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)])),
  };
  return { command: filled, missing: [...missing] };
}

/** The same for one text. Adds to `missing` what is left without a value. */
export const fillInText = (text: string, values: Environment, missing: Set<string>): string =>
  text.replaceAll(variable, (_, name: string, fallback: string | undefined) => {
    const value = values[name] || fallback;
    if (value === undefined) missing.add(name);
    return value ?? "";
  });

/** What VS Code fills in itself, written as a variable is. */
const foreignNames =
  "workspaceFolder(?:Basename)?|userHome|cwd|execPath|pathSeparator|relativeFile(?:Dirname)?|file(?:Basename(?:NoExtension)?|Dirname|Extname|WorkspaceFolder)?";

/** `${HOME}`, `${PORT:-80}`, and `${env:HOME}` as VS Code writes it. */
const variable = new RegExp(String.raw`\$\{(?!(?:${foreignNames})\})(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}`, "g");

/** What only the program that owns the file could fill in: `${input:key}`, `${workspaceFolder}`. */
const foreign = new RegExp(String.raw`\$\{(?:[A-Za-z]+:[^}]*|${foreignNames})\}`);

function readJson(text: string): { value: unknown; problem: null } | { problem: string } {
  try {
    return { value: JSON.parse(text.replace(/^\uFEFF/, "")) as unknown, problem: null };
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
    return { problem: `This is not JSON: ${reason}. Comments and trailing commas are not allowed in it.` };
  }
}

const Servers = z.record(z.string(), z.unknown());
const Wrapped = z.union([
  z.object({ mcpServers: Servers }).transform(({ mcpServers }) => mcpServers),
  z.object({ servers: Servers }).transform(({ servers }) => servers),
  z.object({ mcp: z.object({ servers: Servers }) }).transform(({ mcp }) => mcp.servers),
  // As documents show it, without what stands around it.
  z.record(z.string(), z.union([z.looseObject({ command: z.string() }), z.looseObject({ url: z.string() })])),
]);

function serversOf(document: unknown): [string, unknown][] | null {
  const servers = Wrapped.safeParse(document);
  return servers.success ? Object.entries(servers.data) : null;
}

/** A card has one line for a name, and room for this much of it. */
const displayNameFrom = (key: string, name: MemberName): string =>
  key
    .replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, " ")
    .trim()
    .slice(0, 100)
    .trim() || name;

const word = z.union([z.string(), z.number(), z.boolean()], "must be text").transform(String);

const Server = z.looseObject(
  {
    type: z.string("must be text").optional(),
    url: z.unknown().optional(),
    command: z.string("must be the program to start").optional(),
    args: z.array(word, "must be a list of texts").nullish(),
    env: z.record(z.string(), word, "must be variables with their values").nullish(),
    cwd: z.string("must be the folder it runs in").nullish(),
    envFile: z.unknown().optional(),
    disabled: z.unknown().optional(),
    enabled: z.unknown().optional(),
  },
  "must be an object with a command",
);

type ReadServer = Omit<ImportableServer, "displayName" | "name"> | { command: null; problem: string };

function readServer(entry: unknown): ReadServer {
  const read = Server.safeParse(entry);
  if (!read.success) return refused(complaint(read.error));
  const { type, url, command, args, env, cwd = null, disabled, enabled } = read.data;
  if (command === undefined) return refused(url === undefined ? '"command" is missing: it says which program to start.' : remote(type));
  const checked = MemberCommand.safeParse({ command, args: args ?? [], env: env ?? {} });
  if (!checked.success) return refused(complaint(checked.error));
  const strange = [command, ...checked.data.args, ...Object.values(checked.data.env), cwd ?? ""].map(
    (text) => foreign.exec(withoutVariables(text))?.[0],
  );
  const only = strange.find((found) => found !== undefined);
  if (only !== undefined)
    return refused(`It uses ${only}, which only the program that this file belongs to can fill in. Write the value there.`);
  return {
    command: checked.data,
    cwd,
    isSwitchedOff: disabled === true || enabled === false,
    needs: fillIn(checked.data, {}).missing,
    notes: notesOn(read.data),
    problem: null,
  };
}

const refused = (problem: string) => ({ command: null, problem });

const complaint = ({ issues: [issue] }: z.ZodError): string => {
  const path = dotted(issue?.path ?? []);
  return `${path === "" ? "The entry" : `"${path}"`} ${issue?.message ?? "is not valid"}.`;
};

const remote = (type: string | undefined): string =>
  `It is a server on the network${type === undefined ? "" : ` (${type})`}. A member is a program on this machine that the hall starts, so there is nothing to start here.`;

const withoutVariables = (text: string): string => text.replaceAll(variable, "");

function notesOn({ cwd, envFile, disabled, enabled }: z.infer<typeof Server>): string[] {
  return [
    ...(typeof cwd !== "string"
      ? []
      : [`It ran in ${JSON.stringify(cwd)}; as a member it runs in its own folder, so paths must be absolute.`]),
    ...(envFile === undefined ? [] : [`The variables of ${JSON.stringify(envFile)} are not read.`]),
    ...(disabled === true || enabled === false ? ["It is switched off in that file."] : []),
  ];
}
