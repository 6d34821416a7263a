import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { describeJobEngine } from "../../../core/engine/job-engine-conformance.testing.ts";
import { startProgram } from "../child-program.testing.ts";
import { openEngineOfHome } from "./engine-of-home.testing.ts";

describeJobEngine("the job engine on files", { severalProcesses: false }, async () => {
  const home = join(await temporaryFolder(), "home");
  return {
    async open() {
      const engine = await openEngineOfHome(home);
      onTestFinished(async () => {
        await engine.close();
      });
      return engine;
    },
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
