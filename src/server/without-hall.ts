import { homedir } from "node:os";
import { findBackend } from "../adapters/agent/backend.ts";
import { readConfig } from "../adapters/files/config-file.ts";
import { createDiskMeter } from "../adapters/files/disk-usage.ts";
import type { MeasuredDisk } from "../adapters/files/disk-usage.ts";
import { readEnvironment } from "../adapters/files/env-file.ts";
import type { LayeredEnvironment } from "../adapters/files/env-file.ts";
import { readHallAddress } from "../adapters/files/home-lock.ts";
import { checkHomeVersion } from "../adapters/files/home-version.ts";
import { createLayout } from "../adapters/files/layout.ts";
import { createMemberFolders } from "../adapters/files/members/member-folders.ts";
import type { Check } from "../schema/check.ts";
import type { Config } from "../schema/config.ts";
import { runDoctor } from "./doctor/doctor.ts";
import type { RunningHall } from "./doctor/finding.ts";

export { isHallVariable } from "../adapters/files/env-file.ts";

/** What commands learn about this machine before a hall runs, or while none does. Nothing here creates or changes a file. */
export type Machine = {
  environment(): Promise<LayeredEnvironment>;
  config(home: string): Promise<Config>;
  hall(home: string): Promise<RunningHall | null>;
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

export function createMachine({ env: real, folder }: { env: NodeJS.ProcessEnv; folder: string }): Machine {
  const environment = () => readEnvironment(real, folder);
  const config = (home: string) => readConfig(createLayout(home).config);
  return {
    environment,
    config,
    hall: readHallAddress,
    async examine({ home, host, port, model, diskUsage = () => measureNow(home) }) {
      const { env } = await environment();
      return runDoctor({
        home,
        host,
        port,
        env,
        model: async () => (await findBackend({ env, userHome: homedir(), ...(model === null ? {} : { model }) })).info,
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
      });
    },
  };
}

/** Somebody who asks a command what takes the room would rather wait than hear half of it, but not for ever. */
const patienceMs = 30_000;

async function measureNow(home: string): Promise<MeasuredDisk> {
  const meter = createDiskMeter({ home, waitMs: patienceMs });
  try {
    return await meter.usage();
  } finally {
    await meter.close();
  }
}
