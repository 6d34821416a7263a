import type { WorkerDefinition } from "../../schema/worker-definition.ts";

export type SandboxPlace = { root: string; path: string };

/** Where `name/rel` of a worker's sandboxes lies, or the sentence that refuses it. Links are refused where the file is opened. */
export function writablePlace({ sandboxes }: WorkerDefinition, given: unknown): SandboxPlace | string {
  const writable = Object.entries(sandboxes).flatMap(([name, { mode }]) => (mode === "rw" ? [`${name}/`] : []));
  const allowed = writable.length === 0 ? "Nothing is writable." : `Writable: ${writable.join(", ")}.`;
  const [name = "", ...names] = typeof given === "string" ? given.split("/") : [];
  const sandbox = Object.hasOwn(sandboxes, name) ? sandboxes[name] : undefined;
  if (sandbox?.mode !== "rw") return allowed;
  const isPlain = names.length > 0 && names.every((each) => each !== "" && each !== "." && each !== ".." && !/[\0\\]/.test(each));
  if (!isPlain) return `A path is the name of a sandbox and the way to a file inside it, without "..". ${allowed}`;
  return { root: sandbox.path, path: names.join("/") };
}
