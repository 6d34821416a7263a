import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { describeJobEngine } from "../../../core/job/job-engine-conformance.testing.ts";
import { startProgram } from "../child-program.testing.ts";
import { createFileJobEngine } from "./job-engine.ts";

describeJobEngine("the job engine on files", async () => {
  const folder = await temporaryFolder();
  return {
    connect: () => createFileJobEngine({ folder, recheckMs: 20 }),
    async startRunner(kind, { concurrency, attempts }) {
      const program = startProgram(new URL("./job-runner.testing.ts", import.meta.url), [folder, kind, `${concurrency}`, `${attempts}`]);
      const early: string[] = [];
      for (let line = await program.line(); line !== "ready"; line = await program.line()) early.push(line);
      return { taken: async () => early.shift() ?? (await program.line()), kill: program.kill };
    },
  };
});
