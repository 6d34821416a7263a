import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { z } from "zod";
import type { Finding } from "./finding.ts";

const neededMajor = 24;
const ownManifest = join(import.meta.dirname, "../../../package.json");

type Machine = Pick<NodeJS.Process, "platform" | "arch" | "versions">;

export async function checkNode(machine: Machine = process): Promise<Finding> {
  const used = machine.versions.node;
  const name = await nameOfNode(machine);
  const brought = name === undefined ? null : await versionOf(name);
  const detail = `Node ${used} is in use; ${sayOf(brought, name, machine)}.`;
  if (Number(used.split(".")[0]) < neededMajor) {
    return { status: "fail", detail, advice: `Start Guild Hall through its own command, or install Node ${neededMajor} or newer.` };
  }
  if (brought !== null || name === undefined) return { status: "ok", detail };
  return {
    status: "warn",
    detail,
    advice: "It works with this Node. To have its own, install Guild Hall again with its optional packages (npm ci --include=optional).",
  };
}

function sayOf(brought: string | null, name: string | undefined, { platform, arch }: Machine): string {
  if (brought !== null) return `${brought} comes with Guild Hall`;
  return name === undefined ? `none comes with Guild Hall for ${platform} ${arch}` : "the one that comes with Guild Hall is missing";
}

/** The launcher looks for it in the same way. Undefined if Guild Hall brings no Node for this platform. */
async function nameOfNode({ platform, arch }: Machine): Promise<string | undefined> {
  const manifest: unknown = JSON.parse(await readFile(ownManifest, "utf8"));
  const { optionalDependencies } = z.object({ optionalDependencies: z.record(z.string(), z.string()) }).parse(manifest);
  const ending = `-${platform === "win32" ? "win" : platform}-${arch}`;
  return Object.keys(optionalDependencies).find((name) => name.startsWith("node-") && name.endsWith(ending));
}

async function versionOf(name: string): Promise<string | null> {
  try {
    const manifest: unknown = JSON.parse(await readFile(createRequire(import.meta.url).resolve(`${name}/package.json`), "utf8"));
    return z.object({ version: z.string() }).parse(manifest).version;
  } catch {
    // Whatever is wrong with that package, for a person it is simply not there.
    return null;
  }
}
