import { homedir } from "node:os";
import type { MeasuredDisk } from "../adapters/files/disk-usage.ts";
import { readHallAddress } from "../adapters/files/home-lock.ts";
import type { HallAddress } from "../adapters/files/home-lock.ts";
import { readEnvironment } from "../adapters/files/layered-environment.ts";
import type { LayeredEnvironment } from "../adapters/files/layered-environment.ts";
import { createLayout } from "../adapters/files/layout.ts";
import { readPersonKey } from "../adapters/files/person-key.ts";
import type { Check } from "../schema/check.ts";
import type { Config } from "../schema/config.ts";
import { installationFolders } from "./installation-folders.ts";

export { envFileName, isHallVariable } from "../adapters/files/env-file.ts";
export type { LayeredEnvironment } from "../adapters/files/layered-environment.ts";
export { createLayout } from "../adapters/files/layout.ts";

/**
 * What commands learn about this machine before a hall runs, or while none does. Nothing here creates or changes a file but the page that opens a browser. Most
 * commands only want to know where the hall is, so all that the others need is loaded when they ask.
 */
export type Machine = {
  /** Without a home: what decides about the home. */
  environment(home: string | null): Promise<LayeredEnvironment>;
  config(home: string): Promise<Config>;
  hall(home: string): Promise<HallAddress | null>;
  /** The person's key of a home, for commands that ask its hall. Null before its first start. */
  personKey(home: string): Promise<string | null>;
  /** Writes the page that leads a browser to an address, for this user alone, and returns its path. */
  writeEntryPage(home: string, address: string): Promise<string>;
  examine(what: Examined): Promise<Check[]>;
};

type Examined = {
  home: string;
  host: string;
  port: number;
  model: string | null;
  /** What a hall knows already; without it the home is measured now, which may take a while. */
  diskUsage?: () => Promise<MeasuredDisk>;
};

type MachineParts = {
  env: NodeJS.ProcessEnv;
  /** The working directory. */
  folder: string;
  /** The folders of the program, in which `.env.local` is read. */
  installation?: readonly string[];
};

export function createMachine({ env: real, folder, installation = installationFolders() }: MachineParts): Machine {
  const environment = (home: string | null) => readEnvironment(real, { installation, home, folder });
  const config = async (home: string) => {
    const { readConfig } = await import("../adapters/files/config-file.ts");
    return readConfig(createLayout(home).config);
  };
  return {
    environment,
    config,
    hall: readHallAddress,
    personKey: (home) => readPersonKey(createLayout(home)),
    async writeEntryPage(home, address) {
      const { writeFileDurably } = await import("../adapters/files/durable-write.ts");
      const { entryPage } = createLayout(home);
      await writeFileDurably(entryPage, pageThatLeadsTo(address));
      return entryPage;
    },
    async examine({ home, host, port, model, diskUsage = () => measureNow(home) }) {
      const surroundings = await environment(home);
      const { env, origins } = surroundings;
      const { splitAddress } = await import("../adapters/agent/address-credentials.ts");
      const { createDeathSignal } = await import("../adapters/processes/death-signal.ts");
      const { findBackend } = await import("../adapters/agent/backend.ts");
      const { credentialsIn } = await import("../adapters/agent/child-environment.ts");
      const { checkHomeVersion } = await import("../adapters/files/home-version.ts");
      const { createMemberFolders } = await import("../adapters/files/members/member-folders.ts");
      const { runDoctor } = await import("./doctor/doctor.ts");
      return runDoctor({
        home,
        host,
        port,
        surroundings,
        async model() {
          const { info, childEnv } = await findBackend({ env, origins, userHome: homedir(), ...(model === null ? {} : { model }) });
          return { info, endpoint: { ...splitAddress(childEnv["ANTHROPIC_BASE_URL"] ?? ""), secrets: credentialsIn(childEnv) } };
        },
        hall: () => readHallAddress(home),
        homeVersion: () => checkHomeVersion(createLayout(home)),
        readConfig: () => config(home),
        diskUsage,
        retention: () =>
          config(home).then(
            ({ retention }) => retention,
            () => null,
          ),
        members: () => createMemberFolders({ layout: createLayout(home), onProblem: () => undefined }).scan(),
        deathSignal: createDeathSignal(env),
      });
    },
  };
}

/** The address is of our own making, and has no character that means something in HTML. */
const pageThatLeadsTo = (address: string): string =>
  `<!doctype html>\n<meta charset="utf-8">\n<title>Guild Hall</title>\n<meta http-equiv="refresh" content="0; url=${address}">\n<a href="${address}">Open Guild Hall</a>\n`;

/** Somebody who asks a command what takes the room would rather wait than hear half of it, but not for ever. */
const patienceMs = 30_000;

async function measureNow(home: string): Promise<MeasuredDisk> {
  const { createDiskMeter } = await import("../adapters/files/disk-usage.ts");
  const meter = createDiskMeter({ home, waitMs: patienceMs });
  try {
    return await meter.usage();
  } finally {
    await meter.close();
  }
}
