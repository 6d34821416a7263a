import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { rawRequest } from "../raw-request.ts";

/** What an attacker can ask of a hall, as its own description says, so that a new route is attacked without anybody thinking of it. */
export type Operation = {
  method: string;
  path: string;
  /** As in the description, with the names of its parameters. */
  template: string;
  /** The type of the body it takes, or null. */
  takes: string | null;
  isStream: boolean;
};

export const aSession = "ses_01jcqz8x8b6m4t9v3k2n5p7r0w";
export const aJob = "0f3c1d3e-7a51-4a5e-9d3c-2f6f0a4f9b11";

/** A value of the right form for every parameter of an address, and nothing that is there. */
const valueOf: Record<string, string> = {
  id: aSession,
  messageId: "msg_01jcqz8x8b6m4t9v3k2n5p7r0w",
  member: "absent",
  worker: "absent",
  jobId: aJob,
  path: "absent.txt",
};

export async function readOperations(url: string, headers: Record<string, string> = {}): Promise<Operation[]> {
  const { body } = await rawRequest(url, { path: "/api/openapi.json", headers });
  const { paths } = JSON.parse(body) as Description;
  return Object.entries(paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([method, { requestBody, responses }]) => ({
      method: method.toUpperCase(),
      path: filled(template),
      template,
      takes: Object.keys(requestBody?.content ?? {})[0] ?? null,
      isStream: Object.values(responses).some(({ content = {} }) => "text/event-stream" in content),
    })),
  );
}

/** What is read here of an OpenAPI document. */
type Description = {
  paths: Record<string, Record<string, { requestBody?: { content: object }; responses: Record<string, { content?: object }> }>>;
};

/** The address with values of the right form, or with `values` for some of its parameters. */
export const filled = (template: string, values: Record<string, string> = {}): string =>
  template.replaceAll(/(\w+)\/\{(\w+)\}/g, (_whole, collection: string, name: string) => {
    const value = values[name] ?? (name === "id" ? idIn[collection] : undefined) ?? valueOf[name];
    return `${collection}/${value ?? `{${name}}`}`;
  });

/** What `{id}` means where it is not the id of a session. */
const idIn: Record<string, string> = {
  calls: "call_01jcqz8x8b6m4t9v3k2n5p7r0w",
  runs: "msg_01jcqz8x8b6m4t9v3k2n5p7r0w",
  approvals: "apr_01jcqz8x8b6m4t9v3k2n5p7r0w",
};

const webBuild = join(import.meta.dirname, "../../src/web/.next");

/** Every page, with these values for the parameters of its address. */
export async function pagesWith(valueFor: (parameter: string) => string): Promise<string[]> {
  const manifest = JSON.parse(await readFile(join(webBuild, "app-path-routes-manifest.json"), "utf8")) as Record<string, string>; // Next's map of files to addresses
  return Object.values(manifest)
    .filter((path) => !/^\/(?:api(?:\/|$)|_)/.test(path))
    .map((path) => path.replaceAll(/\[(\w+)\]/g, (_, parameter: string) => valueFor(parameter)));
}

/** Every page, and some of the scripts that the first one loads. */
export async function readPages(url: string, headers: Record<string, string> = {}): Promise<string[]> {
  const pages = await pagesWith((parameter) => (parameter === "id" ? aSession : "example"));
  const { body } = await rawRequest(url, { headers });
  const scripts = [...body.matchAll(/(?:src|href)="(\/_next\/static\/[^"]+)"/g)].map((match) => match[1] ?? "");
  return [...pages, ...[...new Set(scripts)].slice(0, 4)];
}
