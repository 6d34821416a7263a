import type { DeathSignal } from "../../adapters/processes/death-signal.ts";
import type { Finding } from "./finding.ts";

/** Whether agents and members end with a hall that is killed, or only at its next start. */
export async function checkProcesses(deathSignal: DeathSignal, platform: NodeJS.Platform = process.platform): Promise<Finding> {
  const [setpriv] = await deathSignal();
  if (setpriv !== undefined) return { status: "ok", detail: "If the hall is killed with -9, its agents and members end with it." };
  const detail =
    "If the hall is killed with -9, its agents and members can go on, and call the model, until the hall starts again and ends them.";
  if (platform !== "linux") return { status: "info", detail, advice: "After such a kill, start the hall again." };
  return {
    status: "warn",
    detail,
    advice: "Install setpriv of util-linux 2.33 or newer (on Alpine: apk add setpriv), and start the hall again.",
  };
}
