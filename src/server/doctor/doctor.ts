import type { DeathSignal } from "../../adapters/processes/death-signal.ts";
import type { FoundMember } from "../../core/roster/member-folders.ts";
import type { Check } from "../../schema/check.ts";
import type { DiskUsage } from "../../schema/disk.ts";
import type { Environment, Origins } from "../../schema/environment.ts";
import { originLines } from "../../schema/origin-lines.ts";
import { checkDisk } from "./check-disk.ts";
import { checkGit } from "./check-git.ts";
import { checkHome } from "./check-home.ts";
import { checkMembers } from "./check-members.ts";
import { checkModel } from "./check-model.ts";
import type { ModelToCheck } from "./check-model.ts";
import { checkNode } from "./check-node.ts";
import { checkPort } from "./check-port.ts";
import { checkProcesses } from "./check-processes.ts";
import type { Finding, HomeHolder } from "./finding.ts";

/** What the doctor cannot find out by looking, because it depends on how the hall was or would be started. */
export type DoctorDeps = {
  home: string;
  host: string;
  port: number;
  surroundings: Surroundings;
  model: () => Promise<ModelToCheck>;
  /** The hall that holds the home folder, if one runs. */
  hall: () => Promise<HomeHolder | null>;
  /** The format of the home folder, null where it has none yet. Throws where this version cannot work with it. */
  homeVersion: () => Promise<number | null>;
  /** Throws what is wrong with `config.yaml`. */
  readConfig: () => Promise<unknown>;
  /** What the home folder takes, as far as it can be found out while somebody waits. */
  diskUsage: () => Promise<Pick<DiskUsage, "freeBytes" | "parts">>;
  /** How long sessions are kept; null where the configuration cannot be read. */
  retention: () => Promise<DiskUsage["retention"] | null>;
  members: () => Promise<FoundMember[]>;
  deathSignal: DeathSignal;
};

/** The environment, which file set what in it, and sentences about these files. */
export type Surroundings = { env: Environment; origins: Origins; warnings: readonly string[] };

/** Looks at everything a hall needs. Never throws and changes nothing; what could not be looked at is a failed check. */
export async function runDoctor(deps: DoctorDeps): Promise<Check[]> {
  const { home, surroundings } = deps;
  // A record of the hall that cannot be read is the home folder's trouble, and that check will say so.
  const hall = await deps.hall().catch(() => null);
  return Promise.all([
    look("node", "Node", () => checkNode()),
    look("git", "git", () => checkGit(surroundings.env["PATH"])),
    look("home", "Home folder", () => checkHome({ home, hall, homeVersion: deps.homeVersion })),
    look("config", "Configuration", () => checkConfig(deps.readConfig, surroundings)),
    look("port", "Port", () => checkPort({ host: deps.host, port: deps.port, hall })),
    look("model", "Model", async () => checkModel(await deps.model(), home)),
    look("members", "Guild members", async () => checkMembers(await deps.members())),
    look("processes", "Processes", () => checkProcesses(deps.deathSignal)),
    look("disk", "Disk", () => checkDisk({ usage: deps.diskUsage, retention: deps.retention })),
  ]);
}

async function look(id: Check["id"], title: string, examine: () => Promise<Finding>): Promise<Check> {
  try {
    const { status, detail, advice = null } = await examine();
    return { id, status, title, detail, advice };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { id, status: "fail", title, detail: reason, advice: "Put this right, then ask the doctor again." };
  }
}

/** A broken file throws its own sentences, which are the finding. */
async function checkConfig(readConfig: DoctorDeps["readConfig"], { origins, warnings }: Surroundings): Promise<Finding> {
  await readConfig();
  const fine = "config.yaml is fine, or absent, which means every default.";
  const detail = [fine, ...originLines(origins), ...warnings].join("\n");
  if (warnings.length === 0) return { status: "ok", detail };
  return { status: "warn", detail, advice: "Correct each .env.local that is named above." };
}
