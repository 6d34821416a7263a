import type { ScriptedModel } from "../server.ts";
import { startScriptedModel } from "../server.ts";
import { demoScript } from "./demo-script.ts";

/** The model of a hall that has no other. It remembers little of what it was asked, since it may run for weeks. */
export const startDemoModel = (options: { port?: number } = {}): Promise<ScriptedModel> =>
  startScriptedModel({ script: demoScript, keep: { count: 8, bytes: 4 * 1024 * 1024 }, ...options });
