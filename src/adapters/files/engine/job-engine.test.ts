import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { describeJobEngine } from "../../../core/engine/job-engine-conformance.testing.ts";
import { startProgram } from "../child-program.testing.ts";
import { disk } from "../disk.ts";
import type { Disk } from "../disk.ts";
import { openEngineOfHome } from "./engine-of-home.testing.ts";

/** `npm run verify` asks for 10,000. */
const waitingJobs = Number(process.env["WAITING_JOBS"] ?? 1000);

describeJobEngine("the job engine on files", { severalProcesses: false, waitingJobs }, async () => {
  const home = join(await temporaryFolder(), "home");
  const open = async (on: Disk) => {
    const engine = await openEngineOfHome(home, on);
    onTestFinished(async () => {
      await engine.close();
    });
    return engine;
  };
  return {
    open: () => open(disk),
    openCarelessly: () => open(unflushed),
    async startProcess(kind, { capacity, attempts }) {
      const program = new URL("./job-consumer.testing.ts", import.meta.url);
      const { pid, line, say, kill } = startProgram(program, [home, kind, `${capacity}`, `${attempts}`]);
      return {
        next: line,
        finish: (id) => void say(`finish ${id}`),
        cancel: (id) => void say(`cancel ${id}`),
        kill,
        freeze: () => void process.kill(pid, "SIGSTOP"),
        thaw: () => void process.kill(pid, "SIGCONT"),
      };
    },
  };
});

const unflushed: Disk = {
  ...disk,
  async open(path, flags, mode) {
    const file = await disk.open(path, flags, mode);
    return Object.assign(file, { sync: async () => undefined });
  },
};
