import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { z } from "zod";
import type { Finding } from "./finding.ts";

const neededMajor = 24;

export async function checkNode(): Promise<Finding> {
  const used = process.versions.node;
  const brought = await broughtVersion();
  const detail = `Node ${used} is in use; ${brought === null ? "the one that comes with Guild Hall is missing" : `${brought} comes with Guild Hall`}.`;
  if (Number(used.split(".")[0]) < neededMajor) {
    return { status: "fail", detail, advice: `Start Guild Hall through its own command, or install Node ${neededMajor}.` };
  }
  if (brought !== null) return { status: "ok", detail };
  return {
    status: "warn",
    detail,
    advice: "It works with this Node. Install Guild Hall again, with install scripts allowed, to have its own.",
  };
}

async function broughtVersion(): Promise<string | null> {
  try {
    const manifest: unknown = JSON.parse(await readFile(createRequire(import.meta.url).resolve("node/package.json"), "utf8"));
    return z.object({ version: z.string() }).parse(manifest).version;
  } catch {
    // Whatever is wrong with that package, for a person it is simply not there.
    return null;
  }
}
