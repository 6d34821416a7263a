import { fork } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeEnvironment } from "./counted-process.ts";

/** What a host is asked for: to open a hall with the words that are typed for it, or to close it. */
export type HostOrder = { words: string[]; env: Record<string, string | undefined> } | "close";
/** What it has printed: where the hall is open, or how it ended. */
export type HostAnswer = { said: string } | { failure: string };

export type HallHost = {
  ask(order: HostOrder): Promise<string>;
  /** For one that is not to be asked again. */
  kill(): Promise<void>;
};

const program = join(import.meta.dirname, "hall-host.program.ts");

/** A process that opens halls. It ends with this one, and does not keep it from ending. */
export function startHallHost(): HallHost {
  const child = fork(program, [], {
    execPath: process.execPath,
    execArgv: [],
    // What a terminal sends to whoever runs the tests is not for it: it closes its hall when they are gone.
    detached: true,
    env: { PATH: process.env["PATH"], ...nodeEnvironment(), HOME: join(tmpdir(), "guild-hall-nobody") } as unknown as NodeJS.ProcessEnv,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  child.unref();
  child.channel?.unref();
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const exited = once(child, "exit");
  const died = exited.then(() => Promise.reject(new Error(`The process of the hall ended by itself. ${stderr}`)));
  died.catch(() => undefined);
  return {
    async ask(order) {
      const answered = once(child, "message") as Promise<[HostAnswer]>; // the only ones it sends
      child.send(order);
      const [answer] = await Promise.race([answered, died]);
      if ("failure" in answer) throw new Error(answer.failure);
      return answer.said;
    },
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
