import { homedir } from "node:os";
import { findBackend } from "../../adapters/agent/backend.ts";
import type { Backend } from "../../adapters/agent/backend.ts";
import { startDemoModel } from "../../scripted-model/demo/start-demo-model.ts";
import type { Machine } from "../without-hall.ts";
import type { Parts } from "./parts.ts";

/** The demo model always listens: a person may take the key away again, and nothing else would answer. */
export async function connectModel({ config, layout, closers }: Parts, machine: Machine) {
  const demo = await startDemoModel();
  closers.push(demo.close);
  const look = async (): Promise<Backend> => {
    const { env, origins } = await machine.environment(layout.home);
    return findBackend({
      env,
      origins,
      userHome: env["HOME"] ?? homedir(),
      demoUrl: demo.url,
      ...(config.model === null ? {} : { model: config.model }),
    });
  };
  let backend = await look();
  return { backend: () => backend, find: async () => (backend = await look()).info };
}
