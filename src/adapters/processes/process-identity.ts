import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { promisify } from "node:util";
import { z } from "zod";
import { HallError } from "../../schema/hall-error.ts";
import { readProcStat } from "./proc-stat.ts";
import { systemCode } from "../system-code.ts";

/**
 * One life of one process. A process id comes back (in a container, at every start); together with the moment the process
 * began, and the machine, boot and process-id namespace in which both are counted, it does not.
 */
export const ProcessIdentity = z.object({
  pid: z.int().positive(),
  started: z.string(),
  machine: z.string(),
  boot: z.string(),
  namespace: z.string(),
});
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/** Null where no such process runs, or this system does not tell. */
export async function identifyProcess(pid: number): Promise<ProcessIdentity | null> {
  const [sight, place] = await Promise.all([lookAt(pid), placeOfThisProcess()]);
  return sight.seen === "running" ? { pid, started: sight.started, ...place } : null;
}

/** The same without letting go of the thread, for a child that was started just now; null also where this system tells only later. */
export function identifyAtOnce(pid: number, here: Place): ProcessIdentity | null {
  if (process.platform !== "linux") return null;
  const sight = sightIn(readFileSync(`/proc/${pid}/stat`, "utf8"));
  return sight.seen === "running" ? { pid, started: sight.started, ...here } : null;
}

export async function identifyThisProcess(): Promise<ProcessIdentity> {
  const identity = await identifyProcess(process.pid);
  if (identity !== null) return identity;
  throw new HallError("internal", "This system does not say when a process began: neither /proc nor ps answers.");
}

/** False only where it is certain: what cannot be seen from here, in another container or on another machine, may live. */
export const isAlive = async (identity: ProcessIdentity): Promise<boolean> => (await lifeOf(identity)) !== "over";

/** `unknown` for what cannot be seen from here. */
export async function lifeOf(identity: ProcessIdentity): Promise<"running" | "over" | "unknown"> {
  const here = await placeOfThisProcess();
  if (identity.machine !== here.machine) return "unknown";
  if (identity.boot !== here.boot) return "over";
  if (identity.namespace !== here.namespace) return "unknown";
  const sight = await lookAt(identity.pid);
  if (sight.seen === "nothing") return processExists(identity.pid) ? "unknown" : "over";
  return sight.seen === "running" && sight.started === identity.started ? "running" : "over";
}

/** Where process ids and starts are counted. */
export type Place = Pick<ProcessIdentity, "machine" | "boot" | "namespace">;

export async function placeOfThisProcess(): Promise<Place> {
  if (process.platform !== "linux") return { machine: hostname(), boot: "", namespace: "" };
  const [machine, boot, namespace] = await Promise.all([
    readOr("/etc/machine-id", hostname()),
    readOr("/proc/sys/kernel/random/boot_id", ""),
    readlink("/proc/self/ns/pid").catch(() => ""),
  ]);
  return { machine, boot, namespace };
}

const readOr = async (path: string, otherwise: string): Promise<string> =>
  (await readFile(path, "utf8").catch(() => "")).trim() || otherwise;

/** `started` is only to be compared. A process that ended and waits for its parent to notice is still listed. */
type Sight = { seen: "running"; started: string } | { seen: "ended" } | { seen: "nothing" };

const lookAt = (pid: number): Promise<Sight> => (process.platform === "linux" ? lookIntoProc(pid) : askPs(pid));

async function lookIntoProc(pid: number): Promise<Sight> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch((error: unknown) => {
    if (["ENOENT", "ESRCH", "EACCES"].includes(systemCode(error) ?? "")) return "";
    throw error;
  });
  return sightIn(stat);
}

function sightIn(stat: string): Sight {
  const { state, started } = readProcStat(stat);
  return sightOf(state, started);
}

async function askPs(pid: number): Promise<Sight> {
  // Dates are printed for comparing, so neither the language nor the time zone of the day may change them.
  const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
  const asked = promisify(execFile)("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { env });
  const { stdout } = await asked.catch(() => ({ stdout: "" }));
  const [, state, started] = /^\s*(\S+)\s+(.+?)\s*$/.exec(stdout) ?? [];
  return sightOf(state, started);
}

function sightOf(state: string | undefined, started: string | undefined): Sight {
  if (state === undefined || started === undefined) return { seen: "nothing" };
  return /^[ZX]/.test(state) ? { seen: "ended" } : { seen: "running", started };
}

/** Asks the kernel, which answers even where the details of the processes of others are hidden. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== "ESRCH";
  }
}
